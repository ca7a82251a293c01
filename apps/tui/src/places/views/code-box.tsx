import { useArea, useTexts } from '../../screen/hooks.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line } from '../../screen/terminal/line.ts'
import { createTextInput, type TextInput as Input } from '../../screen/terminal/text-input.ts'
import { Dialog, frameCells, Gap, Paragraph } from '../../screen/ui/Dialog.tsx'
import { TextInput } from '../../screen/ui/rows.tsx'

const boxCells = 76

/** Shows an address and asks for its page's code; null if canceled. */
export function askCode(ui: Ui, { title, address }: { title: string; address: string }): Promise<string | null> {
  const { t } = ui.workspace
  const input = createTextInput()
  return new Promise((resolve) => {
    let answer: string | null = null
    const overlay: Overlay = {
      layer: 'confirm',
      isTyping: () => true,
      // Escape works here even over the sign-in.
      commands: { escape: () => ui.close(overlay) },
      closed: () => resolve(answer),
      cliLine: () => address,
      leaves: 'cancel',
      keys: {
        // The program copies `cliLine`.
        'Ctrl+y': { hint: { text: t('ui.secret.copy') }, run: () => undefined },
        Enter: {
          hint: { text: t('ui.files.confirm') },
          run() {
            answer = input.text.trim() || null
            if (answer !== null) ui.close(overlay)
          },
        },
      },
      input: input.input,
      spoken: () => [
        t('ui.cli.login.open'),
        address,
        t('ui.tui.spoken.field', { name: t('ui.cli.login.paste'), text: input.text || t('ui.tui.spoken.empty') }),
      ],
      View: () => <CodeBox title={title} address={address} input={input} />,
    }
    ui.open(overlay)
  })
}

function CodeBox({ title, address, input }: { title: string; address: string; input: Input }) {
  const { t } = useTexts()
  const cells = Math.min(boxCells, useArea().columns - 2)
  const inner = cells - frameCells
  return (
    <Dialog title={title} cells={cells}>
      <Paragraph text={t('ui.cli.login.open')} cells={inner} styleRole="muted" />
      <Paragraph text={address} cells={inner} />
      <Gap />
      <Paragraph text={t('ui.cli.login.paste')} cells={inner} styleRole="muted" />
      <TextInput before={line('› ', 'accent')} input={input} cells={inner - 4} />
    </Dialog>
  )
}
