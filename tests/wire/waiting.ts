import type { World } from '../support/world.ts'

/** Every run has ended, and its task tells so. */
export async function runsAreDone(world: World): Promise<void> {
  const { runs, crons } = world.server.container
  for (;;) {
    const rows = await runs.list({ owner: null }, { options: null, limit: 10 })
    const isTold = (taskId: number, runId: number) => (crons.find(taskId)?.last_run_id ?? runId) >= runId
    if (rows.every((row) => row.finished_at !== null && (row.cron_id === null || isTold(row.cron_id, row.id)))) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Every service has been looked at by every connected server that covers it. */
export async function servicesAreProbed(world: World): Promise<void> {
  const { services, monitors, agents: hub } = world.server.container
  const waits = () =>
    services.all().some((row) => {
      const { up, down } = monitors.windowOf(row.id)
      return up + down < [...monitors.coverageOf(row)].filter((id) => hub.connected(id)).length
    })
  while (waits()) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits until no task names a server that was deleted: ids leave the lists after the answer to the deletion. */
export async function deletedAreForgotten({ server }: World): Promise<void> {
  const { crons, servers } = server.container
  const isForgotten = () => crons.all().every((cron) => cron.servers.every((id) => servers.find(id)))
  while (!isForgotten()) await new Promise((resolve) => setImmediate(resolve))
}
