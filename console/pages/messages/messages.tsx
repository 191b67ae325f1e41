import { NextStep } from '../../parts/next-step.tsx';
import { Page } from '../../parts/page.tsx';

export default function Messages() {
  return (
    <Page title="Messages">
      <NextStep title="Not in the console yet" to={{ name: 'API reference', path: '/api-reference' }}>
        Until it is here, use the operations of the API.
      </NextStep>
    </Page>
  );
}
