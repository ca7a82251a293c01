import type { AnyRow, ApiPort, Call, Resource } from '../define/index.ts'
import { AppError, toAppError } from '../errors/index.ts'
import { readRecord } from './read.ts'
import { same } from './same.ts'

/** The capability of a server that takes `If-Match`. */
export const ifMatchCapability = 'if-match'

/** One edit of a record, as it goes on the wire. */
export interface Edit {
  resource: Resource
  call: Call
  /** The record as it was when the person decided on the edit. */
  base: AnyRow
}

/** Sends edits of records in a way that never overwrites another person's change. */
export interface Edits {
  /**
   * Sends one edit. It is refused with `conflict` when somebody else changed the record since: by `If-Match` where the server takes it, else
   * by reading the record again first. What this program itself changed since is no conflict. `leaving`: the program goes away, so there is
   * no time to read. Errors: AppError.
   */
  send(edit: Edit, options?: { leaving?: boolean }): Promise<void>
}

/** What it is built from. */
export interface EditsOptions {
  api: ApiPort
  /** True when the server announced the capability. */
  supports(capability: string): boolean
}

/** Builds one; it remembers what it sent, so one program has one. */
export function createEdits({ api, supports }: EditsOptions): Edits {
  /** Per record: the input that was sent last. */
  const sent = new Map<string, Readonly<Record<string, unknown>>>()

  /** The stamp of the record as it is now, if what is different since `base` is what was sent from here. Errors: `conflict`. */
  const ownStamp = async ({ resource, base }: Edit): Promise<string> => {
    const { name, input, fields } = resource
    const own = sent.get(keyOf(resource, base.id))
    const current = await readRecord(api, resource, base.id)
    if (current.updated_at === base.updated_at) return String(base.updated_at)
    const shown = Object.keys(input.shape).filter((field) => fields[field]?.kind !== 'secret')
    const isOurs = own && shown.every((field) => !(field in own) || same(own[field], current[field]))
    if (!isOurs) throw new AppError('conflict', { resource: name, id: base.id })
    return String(current.updated_at)
  }

  return {
    async send(edit, { leaving = false } = {}) {
      const { resource, call, base } = edit
      const isStamped = typeof base.updated_at === 'string' && resource.wire.shape === 'many'
      if (!isStamped) await api.send(call)
      else if (!supports(ifMatchCapability)) {
        if (!leaving) await ownStamp(edit)
        await api.send(call)
      } else {
        try {
          await api.send({ ...call, ifMatch: String(base.updated_at) })
        } catch (thrown) {
          if (toAppError(thrown).code !== 'conflict' || !sent.has(keyOf(resource, base.id))) throw thrown
          await api.send({ ...call, ifMatch: await ownStamp(edit) })
        }
      }
      sent.set(keyOf(resource, base.id), decodedBody(resource, call, base.id))
    },
  }
}

/** What the body of an edit makes of a record, by field. */
export function decodedBody(
  { wire }: Pick<Resource, 'wire'>,
  { body }: Call,
  id: number,
): Readonly<Record<string, unknown>> {
  return wire.decode({ ...(body as object), id }) as Readonly<Record<string, unknown>>
}

const keyOf = ({ name }: Resource, id: number) => `${name}/${id}`
