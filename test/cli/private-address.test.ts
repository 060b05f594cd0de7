import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { privateAddress } from "../../src/cli/private-address.ts";
import { exitCodes, OperatorError } from "../../src/values/failure/operator-error.ts";
import { temporaryFolder } from "../support/files.ts";

const address = "postgresql://itemtape:secret@db.example.com/itemtape";

describe("The address of the private database", () => {
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

  it("the address of the private database is none, the one that is set, or that of a file for its owner alone", () => {
    expect(privateAddress({ privateDb: "", privateDbFile: "" })).to.equal(null);
    expect(privateAddress({ privateDb: address, privateDbFile: "" })).to.equal(address);
    expect(privateAddress({ privateDb: "", privateDbFile: written(`${address}\n`) })).to.equal(address);
  });

  it("a file with the address of the private database that other users may read is refused, with exit code 77", () => {
    for (const mode of [0o640, 0o604, 0o660]) {
      expect(refusal(written(address, mode))).to.deep.equal({
        message: `${path}: other users may read it; run \`chmod 600\` on it`,
        exitCode: exitCodes.denied,
      });
    }
    expect(exitCodes.denied).to.equal(77);
  });

  it("a file that is missing, empty or holds no address of a database is refused by its name", () => {
    const missing = `${path}-missing`;
    expect(refusal(missing)).to.deep.equal({
      message: `${missing}: cannot be read (ENOENT)`,
      exitCode: exitCodes.noInput,
    });
    expect(refusal(written("\n")).message).to.equal(`${path}: must be an address, and the file is empty`);
    expect(refusal(written("mysql://itemtape:secret@db.example.com/itemtape")).message).to.match(
      new RegExp(`^${path}: must be an address such as postgresql://`),
    );
  });

  it("two settings that name a private database each are refused", () => {
    expect(refusal(written(address), address)).to.deep.equal({
      message: "--private-db and --private-db-file name a database each; leave one out",
      exitCode: exitCodes.usage,
    });
  });
});
