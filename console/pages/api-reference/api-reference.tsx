import 'swagger-ui-dist/swagger-ui.css';
import './api-reference.css';
import { useComputedColorScheme } from '@mantine/core';
import { type ComponentType, type createElement, useEffect, useRef, useState } from 'react';
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { Page } from '../../parts/page.tsx';

/** Names the lists of examples, which Swagger UI leaves without a label. Its React is another one than ours. */
function labels({ React }: { React: { createElement: typeof createElement } }) {
  const ExamplesSelect = (Original: ComponentType<object>) => (props: object) => {
    const select = React.createElement(Original, { ...props, showLabels: false } as object);
    return React.createElement('label', null, 'Example ', select);
  };
  return { wrapComponents: { ExamplesSelect } };
}

export default function ApiReference() {
  const place = useRef<HTMLDivElement>(null);
  const [isLoading, setIsLoading] = useState(true);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    SwaggerUi({
      domNode: place.current,
      url: '/openapi.json',
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      supportedSubmitMethods: [],
      syntaxHighlight: false,
      validatorUrl: null,
      plugins: [labels],
      onComplete: () => setIsLoading(false),
    });
  }, []);
  // Where Swagger UI looks for it.
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', scheme === 'dark');
    return () => document.documentElement.classList.remove('dark-mode');
  }, [scheme]);
  return (
    <Page title="API reference">
      <div ref={place} id="api-reference" aria-busy={isLoading} />
    </Page>
  );
}
