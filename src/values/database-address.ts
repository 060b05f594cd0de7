const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]*)(.*)$/s;
/** Parameter by which PostgreSQL clients choose a server. Only writable servers are accepted here. */
const wanted = "target_session_attrs";
const wantedValues: readonly (string | null)[] = [null, "read-write", "primary"];

/**
 * Splits a PostgreSQL address with several hosts, such as `postgresql://user@one:5432,two/db`, into one address per host.
 * @throws {Error} if the address is invalid, or `target_session_attrs` does not ask for a writable server.
 */
export function serverAddresses(given: string): string[] {
  const [, head = "", hosts = "", tail = ""] = parts.exec(given) ?? [];
  return hosts.split(",").map((host) => {
    const text = `${head}${host}${tail}`;
    if (head === "" || !URL.canParse(text))
      throw new Error("an address such as postgresql://itemtape@db.example.com/itemtape");
    const address = new URL(text);
    if (!wantedValues.includes(address.searchParams.get(wanted)))
      throw new Error(`\`${wanted}=read-write\` or unset, because the private database must accept changes`);
    address.searchParams.delete(wanted);
    return address.href;
  });
}
