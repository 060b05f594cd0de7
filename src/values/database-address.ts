const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]*)(.*)$/s;
/** Parameter with which PostgreSQL's own clients ask for a server that takes changes: the only one that is of use here. */
const wanted = "target_session_attrs";
const wantedValues: readonly (string | null)[] = [null, "read-write", "primary"];

/**
 * Returns the addresses of a PostgreSQL database, one for each server that `given` names: `postgresql://user@one:5432,two/db`, as
 * PostgreSQL's own clients take it.
 * @throws {Error} when it is no such address.
 */
export function serverAddresses(given: string): string[] {
  const [, head = "", hosts = "", tail = ""] = parts.exec(given) ?? [];
  return hosts.split(",").map((host) => {
    const text = `${head}${host}${tail}`;
    if (head === "" || !URL.canParse(text))
      throw new Error("an address such as postgresql://itemtape@db.example.com/itemtape");
    const address = new URL(text);
    if (!wantedValues.includes(address.searchParams.get(wanted)))
      throw new Error(`\`${wanted}=read-write\` or none: the private database must take changes`);
    address.searchParams.delete(wanted);
    return address.href;
  });
}
