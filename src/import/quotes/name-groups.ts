type Group<Item> = { items: Item[]; names: Set<string> };

/**
 * Splits items into the smallest groups of which no two have a name in common. An item's detail shows the others of its name, so
 * that details and rows agree at any moment only where a group is written at once; `namesOf` tells the names of before and after.
 */
export function groupsByNames<Item>(items: readonly Item[], namesOf: (item: Item) => readonly string[]): Item[][] {
  const byName = new Map<string, Group<Item>>();
  for (const item of items) {
    const group: Group<Item> = { items: [item], names: new Set(namesOf(item)) };
    const met = new Set([...group.names].flatMap((name) => byName.get(name) ?? []));
    const [into = group, ...others] = met.size === 0 ? [] : [...met, group];
    for (const other of others) {
      into.items.push(...other.items);
      for (const name of other.names) into.names.add(name);
    }
    for (const name of others.length === 0 ? group.names : into.names) byName.set(name, into);
  }
  return Array.from(new Set(byName.values()), (group) => group.items);
}
