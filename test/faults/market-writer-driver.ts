import { openWriter } from "../../src/store/database.ts";
import { writeTurn } from "./market-writer.ts";

/** Does one turn after the other without end on the file DATABASE, from TURN on, and prints the number of each that is done. */
const [path = "", first = "0"] = process.argv.slice(2);
const database = openWriter(path, 5000);
for (let turn = Number(first); ; turn += 1) {
  writeTurn(database, turn);
  await new Promise<void>((resolve) => process.stdout.write(`${turn}\n`, () => resolve()));
}
