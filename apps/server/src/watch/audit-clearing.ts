import type { Base } from '../base.ts'
import type { Engine } from '../kernel/engine.ts'
import { createClearing } from '../store/db/clearing.ts'
import { createAuditLog } from '../store/records/audit.ts'

const dayMs = 86_400_000

export function createAuditClearing(base: Base): Engine {
  const log = createAuditLog(base.db)
  const clearing = createClearing(base, 'old audit entries', (isOver) => {
    const { audit_days, audit_entries } = base.settings.get()
    return log.prune({ before: base.retention.now() - audit_days * dayMs, most: audit_entries }, isOver)
  })
  return {
    name: 'audit',
    async start() {
      clearing.start()
    },
    stop: clearing.stop,
  }
}
