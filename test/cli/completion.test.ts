import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { commands } from "../../src/cli/main.ts";
import { runHere } from "../support/cli.ts";

/** Shell scripts that print the completions at the end of each of `lines`, one line each, by the shell's own mechanism. */
const askers: Record<string, (script: string, lines: readonly string[]) => string> = {
  bash: (script, lines) => `${script}
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _itemtape; echo "\${COMPREPLY[*]}"; }
${lines.map((line) => `ask ${quoted(line)}`).join("\n")}`,
  zsh: (script, lines) => `compdef() { :; }; _files() { :; }
compadd() { local -a given=("$@"); offered+=(\${given:#-*}) }
${script}
ask() { words=("$@"); CURRENT=$#; offered=(); _itemtape; echo \${(M)offered:#\${words[CURRENT]}*}; }
${lines.map((line) => `ask ${quoted(line)}`).join("\n")}`,
  fish: (script, lines) => `${script}
${lines.map((line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '')`).join("\n")}`,
};

/** The quoted words of a line. The last word is empty if the line ends with a space. */
function quoted(line: string): string {
  return line
    .split(" ")
    .map((word) => `'${word}'`)
    .join(" ");
}

describe("shell completion", () => {
  const installed = Object.keys(askers).filter((shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0);
  const cases: readonly (readonly [line: string, offered: readonly string[]])[] = [
    ["itemtape se", ["serve", "service", "search"]],
    ["itemtape keys c", ["create"]],
    ["itemtape get getMarketPricesB", ["getMarketPricesBatch"]],
    ["itemtape get listOpenables val", ["valuation_mode="]],
    ["itemtape completion f", ["fish"]],
    ["itemtape help pri", ["private", "price"]],
  ];

  for (const shell of installed) {
    it(`${shell} offers commands, operations and parameters as the program has them`, async () => {
      const { code, lines } = await runHere(["completion", shell]);
      expect(code).to.equal(0);
      const asked = askers[shell]!(
        lines.join("\n"),
        cases.map(([line]) => line),
      );
      const { status, stdout, stderr } = spawnSync(shell, ["-c", asked], { encoding: "utf8" });
      expect([status, stderr]).to.deep.equal([0, ""]);
      const offers = stdout.trimEnd().split("\n");
      expect(offers).to.have.length(cases.length);
      for (const [index, [line, offered]] of cases.entries())
        expect(offers[index]!.split(" "), `${shell}: ${line}`).to.have.members([...offered]);
    });
  }

  it("bash offers no names as a value after an equals sign", async () => {
    const { lines } = await runHere(["completion", "bash"]);
    const asked = askers.bash!(lines.join("\n"), [
      "itemtape get listOpenables valuation_mode = a",
      "itemtape get listOpenables valuation_mode =",
      "itemtape get listOpenables a",
    ]);
    const { stdout } = spawnSync("bash", ["-c", asked], { encoding: "utf8" });
    expect(stdout).to.equal("\n\nafter=\n");
  });

  it("each script names every command, operation and flag", async () => {
    for (const shell of Object.keys(askers)) {
      const script = (await runHere(["completion", shell])).lines.join("\n");
      const words = new Set(script.split(/[^\w-]+/));
      for (const command of commands) {
        for (const word of command.name.split(" ")) expect(words, `${shell} ${word}`).to.include(word);
        for (const flag of Object.keys(command.flags)) expect(words, `${shell} ${flag}`).to.include(`--${flag}`);
      }
      for (const [name, { isStream }] of Object.entries(clientOperations))
        expect(words.has(name), `${shell} ${name}`).to.equal(!isStream);
    }
  });
});
