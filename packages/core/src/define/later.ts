/**
 * A value that is made when something of it is first asked for: a program that starts for one list does not pay for the
 * schemas of all (`tests/house/schemas-later.test.ts`). Its type is that of the value, so that whoever uses it need not know.
 */
export function later<T extends object>(make: () => T): T {
  let made: T | undefined
  const value = (): T => {
    made ??= make()
    return made
  }
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(value(), key),
    has: (_, key) => Reflect.has(value(), key),
    ownKeys: () => Reflect.ownKeys(value()),
    // A proxy may only say so of a property that can still change, as its own target has none.
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value(), key)
      return found && { ...found, configurable: true }
    },
  })
}
