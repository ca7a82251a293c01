import type { Schedule } from './schedule.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const dayMs = 24 * hourMs
/** A schedule that matches nothing for this long never runs (contract engines 3.2). */
const patienceMs = 5 * 366 * dayMs

/**
 * The next `count` times after `from`, ascending; fewer where the schedule has no more. All times are epoch ms.
 * `timeZone` is the site's; `since` is when an interval was registered (default `from`). At a clock change a wall time
 * that is left out is skipped, and one that comes twice runs at its first coming only, also for `*` fields;
 * whoever wants elapsed time writes `@every`. Source: decisions.md "Cron grammar".
 */
export function nextRuns(
  schedule: Schedule,
  { from, count, timeZone, since = from }: { from: number; count: number; timeZone: string; since?: number },
): number[] {
  if (schedule.kind === 'interval') {
    // Also where `since` lies ahead, because the clock was ahead when it was stored.
    const passed = Math.floor((from - since) / schedule.everyMs)
    return Array.from({ length: count }, (_, index) => since + (passed + 1 + index) * schedule.everyMs)
  }
  const times = calendarTimes(schedule, schedule.timeZone ?? timeZone)
  const runs: number[] = []
  while (runs.length < count) {
    const next = times.after(runs.at(-1) ?? from)
    if (next === null) break
    runs.push(next)
  }
  return runs
}

type Calendar = Extract<Schedule, { kind: 'calendar' }>

/** The times of one calendar in one zone; the last answer is remembered, since lists ask for it again and again. */
interface CalendarTimes {
  after(time: number): number | null
}

const remembered = new Map<string, CalendarTimes>()

function calendarTimes(schedule: Calendar, zone: string): CalendarTimes {
  const key = `${zone} ${schedule.eitherDay} ${Object.values(schedule.times).join(' ')}`
  const times = remembered.get(key) ?? createTimes(schedule, zone)
  if (remembered.size >= 1000) remembered.clear()
  remembered.set(key, times)
  return times
}

function createTimes(schedule: Calendar, zone: string): CalendarTimes {
  const wall = wallClock(zone)
  const search = (time: number): number | null => {
    const now = wall(time)
    for (let local = nextWall(schedule, now, now + patienceMs); local !== null; ) {
      const found = firstComing(local, wall)
      if (found !== null && found > time) return found
      local = nextWall(schedule, local, now + patienceMs)
    }
    return null
  }
  let last: { from: number; next: number | null } = { from: Number.POSITIVE_INFINITY, next: null }
  return {
    after(time) {
      const known = time >= last.from && time < (last.next ?? last.from + hourMs)
      if (!known) last = { from: time, next: search(time) }
      return last.next
    },
  }
}

/** The next wall-clock time of the calendar after this one, as if both were UTC; null where there is none until `until`. */
function nextWall(schedule: Calendar, after: number, until: number): number | null {
  const from = after + 1000
  const today = from - (from % dayMs)
  for (let day = today; day <= until; day += dayMs) {
    const clock = isDay(schedule, new Date(day)) ? nextClock(schedule, day === today ? from - today : 0) : null
    if (clock !== null) return day + clock
  }
  return null
}

function isDay({ times, eitherDay }: Calendar, date: Date): boolean {
  if (!times.month.includes(date.getUTCMonth() + 1)) return false
  const isDate = times.day.includes(date.getUTCDate())
  const isWeekday = times.weekday.includes(date.getUTCDay())
  return eitherDay ? isDate || isWeekday : isDate && isWeekday
}

/** The first time of the day at or after this one, in ms since its beginning. */
function nextClock({ times }: Calendar, from: number): number | null {
  for (const hour of times.hour) {
    if ((hour + 1) * hourMs <= from) continue
    for (const minute of times.minute) {
      const at = hour * hourMs + minute * minuteMs
      const second = at + minuteMs <= from ? undefined : times.second.find((second) => at + second * 1000 >= from)
      if (second !== undefined) return at + second * 1000
    }
  }
  return null
}

/** When a clock on the wall first shows this time; null where a clock change leaves it out. */
function firstComing(local: number, wall: (time: number) => number): number | null {
  // A day away on each side no zone is, so these are the offsets before and after a change.
  const offsets = [local - dayMs, local + dayMs].map((time) => wall(time) - time)
  const times = offsets.map((offset) => local - offset).filter((time) => wall(time) === local)
  return times.length === 0 ? null : Math.min(...times)
}

/** A function from a time to its wall-clock time in the zone, as if that were UTC. */
function wallClock(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
}
