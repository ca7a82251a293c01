import type { AnyRow, ApiPort, Call, Resource } from '../define/index.ts'
import { AppError, toAppError } from '../errors.ts'
import { readRecord } from './read.ts'
import { same } from './same.ts'

/** The capability of a server that supports `If-Match`. */
export const ifMatchCapability = 'if-match'

export interface Edit {
  resource: Resource
  call: Call
  /** The record as it was when the user decided on the edit. */
  base: AnyRow
}

/** Sends edits without overwriting anyone else’s change. */
export interface Edits {
  /**
   * Rejects with `conflict` if somebody else changed the record since, by `If-Match` if supported, else by rereading the record. The program’s own
   * earlier edits are no conflict. `leaving`: the program exits, so skip the reread. Returns the response.
   */
  send(edit: Edit, options?: { leaving?: boolean }): Promise<unknown>
}

export interface EditsOptions {
  api: ApiPort
  supports(capability: string): boolean
}

/** Remembers what it sent, so each program needs one. */
export function createEdits({ api, supports }: EditsOptions): Edits {
  const sent = new Map<string, Readonly<Record<string, unknown>>>()

  /** The record’s current timestamp, if its changes since `base` were sent from here. Errors: `conflict`. */
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
      const unchecked = async () => {
        if (isStamped && !leaving) await ownStamp(edit)
        return api.send(call)
      }
      const checked = async () => {
        try {
          return await api.send({ ...call, ifMatch: String(base.updated_at) })
        } catch (thrown) {
          if (toAppError(thrown).code !== 'conflict' || !sent.has(keyOf(resource, base.id))) throw thrown
          return api.send({ ...call, ifMatch: await ownStamp(edit) })
        }
      }
      const answer = await (isStamped && supports(ifMatchCapability) ? checked() : unchecked())
      sent.set(keyOf(resource, base.id), decodedBody(resource, call, base.id))
      return answer
    },
  }
}

export function decodedBody(
  { wire }: Pick<Resource, 'wire'>,
  { body }: Call,
  id: number,
): Readonly<Record<string, unknown>> {
  return wire.decode({ ...(body as object), id }) as Readonly<Record<string, unknown>>
}

const keyOf = ({ name }: Resource, id: number) => `${name}/${id}`
