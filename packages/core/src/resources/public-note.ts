import * as z from 'zod'
import { type AnyRow, defineAction, lazy, maxItems, namedOptions } from '../define/index.ts'
import { firstItem } from '../errors.ts'
import { emptyPlan, type PlanNote, planTexts, readPlan, writePlan } from '../fields/index.ts'
import { textParts } from '../i18n/index.ts'
import { longestNote, moment } from '../schemas/index.ts'

const PlanCycle = namedOptions('none', 'day', 'week', 'month', 'quarter', 'half_year', 'year')
const PlanTraffic = namedOptions('none', 'one_way', 'both_ways')

const word = z.string().max(128)
/** Also contains the lines of a plain note. */
const lines = z.array(z.string().max(longestNote)).max(maxItems)

const input = lazy(() =>
  z.strictObject({
    start_date: moment,
    end_date: moment,
    amount: word,
    cycle: z.enum(PlanCycle),
    renews: z.boolean(),
    bandwidth: word,
    traffic: word,
    traffic_type: z.enum(PlanTraffic),
    ipv4: z.boolean(),
    ipv6: z.boolean(),
    route: lines,
    extra: lines,
  }),
)

const noteOf = (row: AnyRow | undefined): string => String(row?.public_note ?? '')

function startOf(note: string): Partial<z.output<ReturnType<typeof input>>> {
  const plan = readPlan(note)
  if (plan) return { ...plan, route: [...plan.route], extra: [...plan.extra] }
  return note.trim().startsWith('{') ? {} : { extra: textParts(note) }
}

/** Edits a server’s public note as a form (N-24). `inputKeys`: the fields of the record’s edit. */
export function editPublicNote(inputKeys: () => readonly string[]) {
  return defineAction<AnyRow>()({
    on: 'one',
    scope: 'nezha:server:write',
    icon: 'tag',
    aliases: ['plan', 'billing', 'price', 'expiry'],
    args: {
      input,
      initial: { ...emptyPlan, route: [], extra: [] },
      fields: {
        start_date: { kind: 'text', help: true, flag: true },
        end_date: { kind: 'text', help: true, flag: true },
        amount: { kind: 'text', help: true, flag: true },
        cycle: { kind: 'choice', options: PlanCycle, flag: true },
        renews: { kind: 'flag' },
        bandwidth: { kind: 'text' },
        traffic: { kind: 'text' },
        traffic_type: { kind: 'choice', options: PlanTraffic },
        ipv4: { kind: 'flag' },
        ipv6: { kind: 'flag' },
        route: { kind: 'list', wide: true, flag: true },
        extra: { kind: 'list', wide: true, help: true, flag: true },
      },
      form: {
        billing: ['start_date', 'end_date', 'amount', 'cycle', 'renews'],
        plan: [
          'bandwidth',
          'traffic',
          { field: 'traffic_type', when: { traffic: { empty: false } } },
          'ipv4',
          'ipv6',
          'route',
          'extra',
        ],
      },
      load: async (_context, [row]) => startOf(noteOf(row)),
      preview: (values, translator) => planTexts(translator, values as PlanNote),
    },
    wire: { method: 'PATCH', path: 'server/{id}' },
    async run({ api }, rows, plan) {
      const row = firstItem(rows)
      const body = Object.fromEntries(inputKeys().map((key) => [key, row[key]]))
      await api.send({
        method: 'PATCH',
        path: `server/${row.id}`,
        body: { ...body, public_note: writePlan(plan, noteOf(row)) },
        ...(typeof row.updated_at === 'string' ? { ifMatch: row.updated_at } : {}),
      })
      return { kind: 'done', changed: [row.id] }
    },
  })
}
