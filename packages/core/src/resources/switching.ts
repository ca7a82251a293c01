import type * as z from 'zod'
import { type ActionDefinition, type AnyRow, defineAction, type Scope } from '../define/index.ts'

interface Switched {
  readonly path: string
  readonly field: string
  readonly scope: Scope
  readonly input: () => z.ZodObject
  /** Requires a recent password. */
  readonly stepUp?: true
}

/**
 * `enable` and `disable`. They send the whole record, because an edit replaces all fields (contract http-api 3). Texts: `actions.enable`,
 * `reasons.isOn` and their counterparts.
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
