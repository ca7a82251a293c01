// Leaves out of a build the part of zod that writes JSON schemas, which no console does: its exports do nothing.
// 6 KB of a status page, whose limit is 150.

/** The modules of that part. */
export const jsonSchemaOfZod = /zod\/v4\/core\/(json-schema-processors|to-json-schema|json-schema-generator)\.js$/

/** A module with the same exports as this code, which do nothing. */
export function stubOf(code) {
  const names = new Set(
    [...code.matchAll(/^export (?:const|function|class|async function) (\w+)|^export \{ \w+ as (\w+) \}/gm)].map(
      ([, own, other]) => own ?? other,
    ),
  )
  return [...names].map((name) => `const ${name}_ = () => () => undefined\nexport { ${name}_ as ${name} }`).join('\n')
}
