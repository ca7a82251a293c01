import type { State_SensorTemperature } from '@qd/protocol/agent'
import type { Machine } from '../machine.ts'

const root = '/sys/class/hwmon'

const readChip = async (machine: Machine, chip: string): Promise<State_SensorTemperature[]> => {
  const text = async (file: string) => (await machine.read(`${root}/${chip}/${file}`)).trim()
  const [name, files] = await Promise.all([text('name'), machine.list(`${root}/${chip}`)])
  const sensors = files.flatMap((file) => /^(temp\d+)_input$/.exec(file)?.[1] ?? [])
  return Promise.all(
    sensors.map(async (sensor) => {
      const [label, value] = await Promise.all([text(`${sensor}_label`), text(`${sensor}_input`)])
      const words = [name || chip, label.toLowerCase().replaceAll(' ', '_')].filter(Boolean)
      return { name: words.join('_'), temperature: Number(value) / 1000 }
    }),
  )
}

/** All sensors of the machine in °C, sorted by name; those that report nothing above 0 are left out. */
export const readTemperatures = async (machine: Machine): Promise<State_SensorTemperature[]> => {
  const chips = await machine.list(root)
  const sensors = (await Promise.all(chips.map((chip) => readChip(machine, chip)))).flat()
  return sensors
    .filter(({ temperature }) => temperature > 0)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
