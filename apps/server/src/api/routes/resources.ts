import type { Action, AnyRow, Route } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import type { Hono, MiddlewareHandler } from 'hono'
import type { StepUp } from '../../access/step-up.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { type Audit, type AuditEntry, changesOf, type Note, namesOf } from '../../store/records/audit.ts'
import { type AnswerCache, dataText, envelope, listPieces, ok, takesBrotli } from '../http/answer.ts'
import { type HttpContext, type HttpEnv, readBody, readId } from '../http/request.ts'
import type { ResourceStore } from '../resources/store.ts'
import { ownGet } from './session.ts'

/** Also sent as GET by Nezha clients (decisions.md, "Verbs that changed"). */
const alsoGet: readonly string[] = ['cron/{id}/manual']

const routeOf = ({ path }: Route) => `/${path.replace('{id}', ':id')}`

export function addResourceRoutes(
  app: Hono<HttpEnv>,
  stores: readonly ResourceStore[],
  { cache, audit, stepUp }: { cache: AnswerCache; audit: Audit; stepUp: StepUp },
): void {
  for (const store of stores) {
    const { resource } = store
    const { wire, name } = resource
    const { calls } = wire
    if (resource.needsSession) for (const own of [`/${wire.path}/*`, routeOf(calls.delete)]) app.use(own, refuseTokens)

    /** Null if the caller may not read it. */
    const rowText = async (caller: Caller, id: number | undefined): Promise<string | null> =>
      id === undefined ? null : store.get(caller, id).catch(() => null)

    const audited = async (
      context: HttpContext,
      what: Audited,
      work: (note: Note) => Promise<unknown>,
    ): Promise<Response> => {
      const caller = context.get('caller')
      const { action, ids = [], target = ids.join(',') } = what
      if (resource.actions[action]?.stepUp) stepUp.demand(caller)
      const before = store.stored?.(ids, caller) ?? []
      const entry = { caller, action: `${name} ${action}` }
      const done = (after: readonly AnyRow[], made: readonly number[]): AuditEntry => ({
        ...entry,
        target: target || made.join(','),
        result: 'ok',
        names: namesOf(resource, after.length > 0 ? after : before),
        changes: changesOf(resource, before, after),
      })
      let isNoted = false
      try {
        const data = await work(async (db, after = before) => {
          isNoted = true
          await audit.write(db, done(after, action === 'create' ? after.map(({ id }) => id) : ids))
        })
        const made = action === 'create' ? madeOf(data) : ids
        if (!isNoted) {
          audit.record(done(store.stored?.(made, caller) ?? [], made))
          await audit.stored()
        }
        const saved =
          what.isSave && prefersRow(context) ? await rowText(caller, wire.shape === 'one' ? 0 : made[0]) : null
        return ok(envelope(saved ?? dataText(data)))
      } catch (error) {
        // Missing rights are recorded by the error handler.
        const refused = error instanceof AppError && error.code === 'notFound'
        if (refused) audit.record({ ...entry, target, result: 'refused' })
        throw error
      }
    }

    const act = (action: Action) => async (context: HttpContext) => {
      const id = readId(context.req.param('id') ?? '')
      const body = action.args ? await readBody(context) : null
      return audited(context, { action: action.name, ids: [id] }, (note) =>
        store.act(context.get('caller'), action, id, body, note),
      )
    }

    const call = (action: Pick<Action, 'name' | 'audience' | 'scope'>) => async (context: HttpContext) => {
      const isRead = context.req.method === 'GET'
      const body = isRead ? context.req.query() : await readBody(context)
      const caller = context.get('caller')
      const work = async (note?: Note) => {
        if (!store.call) throw new AppError('noRoute')
        return store.call(caller, action, body, note)
      }
      // Checks while typing only read.
      if (resource.serverChecks[action.name]?.when === 'typed') return ok(envelope(dataText(await work())))
      return audited(context, { action: action.name, ...targetsOf(body) }, work)
    }

    if (wire.shape === 'one') {
      app.get(routeOf(calls.get), async (context) => ok(envelope(await store.get(context.get('caller'), 0))))
      app.on(calls.edit.method, routeOf(calls.edit), (context) =>
        audited(context, { action: 'edit', isSave: true }, async (note) => {
          const ifMatch = context.req.header('If-Match') ?? null
          await store.edit(context.get('caller'), 0, await readBody(context), ifMatch, note)
        }),
      )
    }
    if (wire.verbs.includes('list')) {
      app.get(routeOf(calls.list), (context) => {
        const caller = context.get('caller')
        const query = new URL(context.req.url).search
        return cache.answer(`${name} ${caller.viewer.id} ${caller.token?.id ?? ''} ${query}`, {
          // Only whole lists: the number of queries is unlimited.
          version: query === '' ? store.version() : null,
          brotli: takesBrotli(context),
          async make() {
            const found = await store.list(caller, new URLSearchParams(query))
            return found !== null && typeof found === 'object' ? listPieces(found.items) : [envelope(found)]
          },
        })
      })
    }
    if (wire.shape === 'many' && wire.verbs.includes('get')) {
      app.get(routeOf(calls.get), async (context) =>
        ok(envelope(await store.get(context.get('caller'), readId(context.req.param('id') ?? '')))),
      )
    }
    if (wire.verbs.includes('create')) {
      app.on(calls.create.method, routeOf(calls.create), (context) =>
        audited(context, { action: 'create', isSave: calls.create.reveals === undefined }, async (note) =>
          store.create(context.get('caller'), await readBody(context), note),
        ),
      )
    }
    if (wire.shape === 'many' && wire.verbs.includes('edit')) {
      app.on(calls.edit.method, routeOf(calls.edit), (context) => {
        const id = readId(context.req.param('id') ?? '')
        return audited(context, { action: 'edit', ids: [id], isSave: true }, async (note) => {
          const ifMatch = context.req.header('If-Match') ?? null
          return store.edit(context.get('caller'), id, await readBody(context), ifMatch, note)
        })
      })
    }
    if (wire.verbs.includes('delete') && calls.delete.path.includes('{id}')) {
      app.on(calls.delete.method, routeOf(calls.delete), (context) => {
        const id = readId(context.req.param('id') ?? '')
        return audited(context, { action: 'delete', ids: [id] }, async (note) => {
          const gone = await store.remove(context.get('caller'), [id], note)
          if (gone.length === 0) throw new AppError('notFound', { resource: name, id })
        })
      })
    } else if (wire.verbs.includes('delete')) {
      app.on(calls.delete.method, routeOf(calls.delete), async (context) => {
        const body = await readBody(context)
        return audited(context, { action: 'delete', ...targetsOf(body) }, async (note) => {
          await store.remove(context.get('caller'), body, note)
        })
      })
    }
    const actions = Object.values(resource.actions)
    for (const [name, check] of Object.entries(resource.serverChecks)) {
      const { method, path } = check.call(resource.initial, null)
      if (actions.some((action) => action.wire?.path === path)) continue
      app.on(method, `/${path}`, call({ name, audience: resource.audience.write, scope: resource.scopes.write }))
    }
    for (const action of actions) {
      // The single record's GET already exists.
      const isKnown = wire.shape === 'one' && action.wire?.path === wire.path
      if (!action.wire || isKnown || action.name === 'delete') continue
      const pattern = routeOf(action.wire)
      app.on(action.wire.method, pattern, action.wire.path.includes('{id}') ? act(action) : call(action))
      if (alsoGet.includes(action.wire.path)) app.get(pattern, ownGet, act(action))
    }
  }
}

/** For routes that require a sign-in (contract http-api 2.6). */
export const refuseTokens: MiddlewareHandler<HttpEnv> = async (context, next) => {
  if (context.get('caller').token) throw new AppError('tokenForbidden', { text: texts.notForTokens })
  await next()
}

/** `target`: if it has no record IDs. */
interface Audited {
  action: string
  ids?: readonly number[]
  target?: string
  /** Its response can be the saved record. */
  isSave?: boolean
}

/** Whether the response should be the record, as `GET` returns it (RFC 7240); existing dashboards’ clients don’t ask for it. */
const prefersRow = (context: HttpContext) => /\breturn=representation\b/.test(context.req.header('Prefer') ?? '')

const maxCompared = 50

function targetsOf(body: unknown): Pick<Audited, 'ids' | 'target'> {
  const { servers, ids, server_id, address } = (body ?? {}) as Readonly<Record<string, unknown>>
  const named: readonly unknown[] = [body, servers, ids].find(Array.isArray) ?? [server_id ?? address]
  const first = named.slice(0, maxCompared)
  return { ids: first.filter((id) => typeof id === 'number'), target: first.join(',') }
}

function madeOf(data: unknown): readonly number[] {
  const id = typeof data === 'object' && data !== null ? (data as { id?: unknown }).id : data
  return typeof id === 'number' ? [id] : []
}
