import { Box } from 'ink'
import { useArea } from '../../screen/hooks.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput as Input } from '../../screen/terminal/text-input.ts'
import { Row, Rule, TextInput } from '../../screen/ui/rows.tsx'
import { createMenu, type MenuItem } from '../views/menu.ts'

interface LineRequest {
  title: string
  start: string
  help: string
  past?: readonly string[]
}

/** Asks for a line at the bottom; null if canceled. `past`: earlier answers for the arrow keys, newest first. */
export function askLine(ui: Ui, { title, start, help, past = [] }: LineRequest): Promise<string | null> {
  const { t } = ui.workspace
  const input = createTextInput(start)
  return new Promise((resolve) => {
    let answer: string | null = null
    let own = start
    let at = -1
    const recall = (by: number) => {
      if (at === -1) own = input.text
      at = Math.max(-1, Math.min(past.length - 1, at + by))
      input.set(past[at] ?? own)
    }
    const overlay: Overlay = {
      layer: 'menu',
      isTyping: () => true,
      closed: () => resolve(answer),
      leaves: { text: t('ui.frame.close') },
      keys: {
        Enter: {
          hint: { text: t('ui.files.confirm') },
          run() {
            answer = input.text
            ui.close(overlay)
          },
        },
        ArrowUp: past.length > 0 ? { hint: 'history', run: () => recall(1) } : () => recall(1),
        ArrowDown: () => recall(-1),
      },
      input: input.input,
      spoken: () => [t('ui.tui.spoken.field', { name: title, text: input.text || t('ui.tui.spoken.empty') })],
      View: () => <AskDialog title={title} help={help} input={input} />,
    }
    ui.open(overlay)
  })
}

function AskDialog({ title, help, input }: { title: string; help: string; input: Input }) {
  const { columns } = useArea()
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rule title={title} cells={columns} />
      {help !== '' && <Row line={line(` ${help}`, 'muted')} />}
      <TextInput before={line(' › ', 'accent')} input={input} cells={columns - 4} />
    </Box>
  )
}

export function askChoice<Value>(
  ui: Ui,
  title: string,
  choices: readonly { label: string; value: Value; detail?: string }[],
): Promise<Value | null> {
  return new Promise((resolve) => {
    let answer: Value | null = null
    const items = choices.map(
      ({ label, value, detail = '' }): MenuItem => ({
        label,
        detail,
        run() {
          answer = value
        },
      }),
    )
    // The menu closes before the choice runs.
    ui.open(createMenu(ui, title, items, () => queueMicrotask(() => resolve(answer))))
  })
}
