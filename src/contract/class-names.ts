/**
 * How sentences name vehicle classes, by id: by the type without its example, which follows a comma; by the whole type where
 * others begin alike, and with the id where others have the same.
 */
export function classNames(classes: readonly { readonly id: string; readonly type: string }[]): (id: string) => string {
  const isShared = (nameOf: (type: string) => string, type: string) =>
    classes.filter((each) => nameOf(each.type) === nameOf(type)).length > 1;
  const shortOf = (type: string) => type.split(",", 1)[0] ?? type;
  const nameOf = ({ id, type }: (typeof classes)[number]) => {
    if (!isShared(shortOf, type)) return shortOf(type);
    return isShared((each) => each, type) ? `${type} (${id})` : type;
  };
  const names = new Map(classes.map((each) => [each.id, nameOf(each)]));
  return (id) => names.get(id) ?? id;
}
