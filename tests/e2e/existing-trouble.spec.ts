import { expect } from '@playwright/test'
import { beginNat, signIn, test } from './existing.ts'

for (const generation of [1, 2] as const)
  test.describe(`an existing dashboard of ${generation}.x in trouble`, () => {
    test.use({ generation })

    test('blocked, a proxy’s page, a sign-in that ended: each is said once, what was typed is saved afterwards', async ({
      page,
      existing: { replay, url },
    }) => {
      await signIn(page, url)
      const form = await beginNat(page)
      const said = page.getByRole('alertdialog').filter({ hasText: /the form is still open/i })

      replay.blocks()
      await page.keyboard.press('Control+Enter')
      await expect(said).toContainText(
        /This IP address is blocked.*The firewall on 127\.0\.0\.1:\d+ is blocking this gateway/s,
      )
      await expect(said).toContainText('Ask an admin to unblock it there')
      await expect(said).not.toContainText('Wait a while')

      replay.answersWith((_request, response) => {
        response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>Bad Gateway')
      })
      await page.keyboard.press('Control+Enter')
      await expect(said).toContainText(/Can’t reach http\S+\s*A proxy in front of the server returned 502/)
      expect((await said.innerText()).match(/an(’t|not) (be )?reach/g)).toHaveLength(1)
      // A proxy does not tell whether its dashboard had the call before it went away.
      await expect(said).toContainText(/The request may have gone through.*The form is still open\.$/s)
      await expect(said).not.toContainText('Nothing was changed')

      replay.answersWith(null)
      replay.endSession()
      await page.keyboard.press('Control+Enter')
      const again = page.getByRole('dialog', { name: /session has ended/ })
      await again.getByRole('textbox', { name: 'Password' }).fill('admin')
      replay.expects('nat', 'create: ok')
      await page.keyboard.press('Enter')
      await expect(form).toBeHidden()
      expect(replay.calls().filter((call) => call === 'POST nat')).toHaveLength(4)
    })

    test('at the sign-in it is said in the form, once, and what to do', async ({ page, existing: { replay, url } }) => {
      replay.blocks()
      await page.goto(`${url}/dashboard/login`)
      const said = page.getByText('This IP address is blocked')
      await expect(said).toBeVisible()
      await page.getByRole('textbox', { name: 'Username' }).fill('admin')
      await page.getByRole('textbox', { name: 'Password' }).fill('admin')
      await page.keyboard.press('Enter')
      await expect(page.locator('form')).toContainText('Ask an admin to unblock it there')
      await expect(said).toHaveCount(1)
      replay.answersWith(null)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('row', { name: /web-1/ })).toBeVisible()
    })
  })
