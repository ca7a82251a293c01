import type * as z from 'zod'

/**
 * A value that is made when something of it is first asked for: a program that starts for one list does not pay for the
 * schemas of all (`tests/architecture/schemas-later.test.ts`). Its type is that of the value, so that whoever uses it need not know.
 */
export function later<T extends object>(make: () => T): T {
  let made: T | undefined
  const value = (): T => {
    if (made === undefined) {
      made = make()
      if ('_zod' in made) isOneFor(proxy as unknown as z.core.$ZodType, made as unknown as z.core.$ZodType)
    }
    return made
  }
  const proxy: T = new Proxy({} as T, {
    get: (_, key) => Reflect.get(value(), key),
    has: (_, key) => Reflect.has(value(), key),
    ownKeys: () => Reflect.ownKeys(value()),
    // A proxy may only say so of a property that can still change, as its own target has none.
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value(), key)
      return found && { ...found, configurable: true }
    },
  })
  return proxy
}

/** Zod's JSON schemas look up what they know of a schema by the object itself: what is asked of the one is found by the other. */
function isOneFor(proxy: z.core.$ZodType, made: z.core.$ZodType): void {
  const { processJSONSchema: process } = made._zod
  if (!process) return
  made._zod.processJSONSchema = (context, json, params) => {
    const known = context.seen.get(proxy)
    if (known) context.seen.set(made, known)
    process(context, json, params)
  }
}
