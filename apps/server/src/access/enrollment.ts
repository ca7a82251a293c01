import type { Selectable } from 'kysely'
import type { Clock, Random } from '../kernel/ports.ts'
import type { Db, EnrollmentCodesTable } from '../store/db/schema.ts'
import { sha256 } from '../store/records/accounts.ts'
import { type Also, createOrder } from '../store/records/commit.ts'
import type { Accounts } from '../store/records/rows.ts'
import { randomText } from '../store/records/secrets.ts'

export interface CodeOrder {
  /** The owner of the servers; 0 for none. */
  ownerId: number
  /** The UUID of the server that the host takes over; empty for new servers. */
  uuid: string
  hosts: number
}

/** Codes in install commands, each valid for a day and a number of hosts. */
export type Enrollment = Awaited<ReturnType<typeof createEnrollment>>

const lifeMs = 24 * 3_600_000
/** An expired code is kept this long, so that its host gets the reason and doesn't count as guessing. */
const rememberedMs = 7 * lifeMs
const maxOfOneOwner = 64
const codeLength = 24

export async function createEnrollment(parts: {
  db: Db
  clock: Clock
  random: Random
  accounts: Pick<Accounts, 'find'>
}) {
  const { db, clock, random, accounts } = parts
  const inOrder = createOrder()
  let codes: readonly Selectable<EnrollmentCodesTable>[] = []
  const load = async () => {
    codes = await db.selectFrom('enrollment_codes').selectAll().orderBy('id').execute()
  }
  await load()
  const setUses = async (id: number, uses_left: number) => {
    await db.updateTable('enrollment_codes').set({ uses_left }).where('id', '=', id).execute()
    await load()
  }
  const find = (code: string) => {
    const hash = sha256(code)
    return codes.find(({ code_hash }) => code_hash === hash)
  }
  const isOver = ({ owner_id, uses_left, created_at, expires_at }: Selectable<EnrollmentCodesTable>) =>
    (owner_id !== 0 && !accounts.find(owner_id)) ||
    // A clock that was set back must not extend its life.
    uses_left <= 0 ||
    clock.now() >= expires_at ||
    clock.now() < created_at - lifeMs

  return {
    /** `also` runs in the transaction of the new code. */
    make: ({ ownerId, uuid, hosts }: CodeOrder, also?: Also<never>) =>
      inOrder(async () => {
        const now = clock.now()
        const code = randomText(random, codeLength)
        const theirs = codes
          .filter(({ owner_id }) => owner_id === ownerId)
          .toSorted((a, b) => Number(isOver(b)) - Number(isOver(a)))
        const surplus = theirs.slice(0, Math.max(0, theirs.length - maxOfOneOwner + 1))
        const old = codes.filter(({ expires_at }) => now - expires_at > rememberedMs)
        const gone = [...surplus, ...old].map(({ id }) => id)
        await db.transaction().execute(async (writes) => {
          if (gone.length > 0) await writes.deleteFrom('enrollment_codes').where('id', 'in', gone).execute()
          const row = { owner_id: ownerId, code_hash: sha256(code), uuid, uses_left: hosts }
          const made = writes.insertInto('enrollment_codes')
          await made.values({ ...row, created_at: now, expires_at: now + lifeMs }).execute()
          await also?.(writes, [])
        })
        await load()
        return code
      }),
    /** The code's owner; `over` if it is used up or expired, null if it is unknown. */
    ownerOf(code: string, uuid: string): number | 'over' | null {
      const row = find(code)
      if (!row || (row.uuid !== '' && row.uuid !== uuid.toLowerCase())) return null
      return isOver(row) ? 'over' : row.owner_id
    },
    use: (code: string) =>
      inOrder(async () => {
        const row = find(code)
        if (!row || isOver(row)) return false
        await setUses(row.id, row.uses_left - 1)
        return true
      }),
    giveBack: (code: string): Promise<void> =>
      inOrder(async () => {
        const row = find(code)
        if (row) await setUses(row.id, row.uses_left + 1)
      }),
  }
}
