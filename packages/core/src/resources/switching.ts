import type * as z from 'zod'
import { type ActionDefinition, type AnyRow, defineAction, type Scope } from '../define/index.ts'

/** What is switched: the flag, its record's form and where a record is changed on the wire (`alert-rule`). */
interface Switched {
  readonly path: string
  readonly field: string
  readonly scope: Scope
  readonly input: () => z.ZodObject
  /** It asks for the password again where the last proof is old. */
  readonly stepUp?: true
}

/**
 * The pair of actions behind a switch of a list: `enable` and `disable`. Each sends the whole record with the flag changed, because a
 * change replaces all fields of a record (contract http-api 3). Texts: `actions.enable`, `reasons.isOn` and their counterparts.
 */
export function switchActions({ path, field, scope, input, stepUp }: Switched): {
  enable: ActionDefinition<AnyRow>
  disable: ActionDefinition<AnyRow>
} {
  const turn = (on: boolean) =>
    defineAction<AnyRow>()({
      on: 'many',
      scope,
      icon: 'power',
      key: on ? '+' : '_',
      aliases: on ? ['switch on', 'activate'] : ['switch off', 'mute', 'pause'],
      waits: true,
      ...(stepUp && { stepUp }),
      blocked: [{ when: { [field]: { is: on } }, reason: on ? 'isOn' : 'isOff', already: true }],
      async run({ api }, rows) {
        for (const row of rows) {
          const kept = Object.fromEntries(Object.keys(input().shape).map((name) => [name, row[name]]))
          await api.send({ method: 'PATCH', path: `${path}/${row.id}`, body: { ...kept, [field]: on } })
        }
        return { kind: 'done', changed: rows.map((row) => row.id) }
      },
    })
  return { enable: turn(true), disable: turn(false) }
}
