import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { privateAddress } from "../../src/cli/private-address.ts";
import { exitCodes, OperatorError } from "../../src/values/failure/operator-error.ts";
import { temporaryFolder } from "../support/files.ts";

const address = "postgresql://itemtape:secret@db.example.com/itemtape";

describe("address of the PostgreSQL database", () => {
  const path = join(temporaryFolder(), "address");
  const written = (text: string, mode = 0o600) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  const refusal = (privateDbFile: string, privateDb = "") => {
    try {
      privateAddress({ privateDb, privateDbFile });
    } catch (error) {
      expect(error).to.be.instanceOf(OperatorError);
      const { message, exitCode } = error as OperatorError;
      expect(message).to.not.include("secret");
      return { message, exitCode };
    }
    throw new Error("it was taken");
  };

  it("is unset, set directly, or read from an owner-only file", () => {
    expect(privateAddress({ privateDb: "", privateDbFile: "" })).to.equal(null);
    expect(privateAddress({ privateDb: address, privateDbFile: "" })).to.equal(address);
    expect(privateAddress({ privateDb: "", privateDbFile: written(`${address}\n`) })).to.equal(address);
  });

  it("is refused with exit code 77 from a file others may read", () => {
    for (const mode of [0o640, 0o604, 0o660]) {
      expect(refusal(written(address, mode))).to.deep.equal({
        message: `${path}: other users may read it; run \`chmod 600\` on it`,
        exitCode: exitCodes.denied,
      });
    }
    expect(exitCodes.denied).to.equal(77);
  });

  it("is refused by file name if missing, empty or not an address", () => {
    const missing = `${path}-missing`;
    expect(refusal(missing)).to.deep.equal({
      message: `${missing}: cannot be read (ENOENT)`,
      exitCode: exitCodes.noInput,
    });
    expect(refusal(written("\n")).message).to.equal(`${path}: must be an address, but the file is empty`);
    expect(refusal(written("mysql://itemtape:secret@db.example.com/itemtape")).message).to.match(
      new RegExp(`^${path}: must be an address such as postgresql://`),
    );
  });

  it("is refused if two settings name a database", () => {
    expect(refusal(written(address), address)).to.deep.equal({
      message: "--private-db and --private-db-file: give one of them",
      exitCode: exitCodes.usage,
    });
  });
});
