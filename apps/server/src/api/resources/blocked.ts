import { type Action, type AnyRow, deriving, holds, type Resource, type View } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { texts } from '../../kernel/texts.ts'

/** What derived fields see on the server: the record alone. */
const noView = (now: number): View => ({
  now,
  find: () => undefined,
  title: () => null,
  all: () => [],
  referring: () => [],
  trend: () => [],
})

/** Refuses an action on a record where its conditions say so, with the first reason. `now` is epoch ms. Errors: `blocked`. */
export function refuseBlocked(
  action: Action,
  { resource, record, now }: { resource: Resource; record: AnyRow; now: number },
): void {
  const complete = deriving(resource, record, noView(now))
  const blocked = action.blocked.find(({ when }) => holds(when, complete))
  if (!blocked) return
  const { reason } = blocked
  throw new AppError('blocked', { reason, ...(reason in texts ? { text: texts[reason as keyof typeof texts] } : {}) })
}
