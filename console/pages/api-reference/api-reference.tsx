import { useComputedColorScheme } from '@mantine/core';
import { type ComponentType, type createElement, useEffect, useRef, useState } from 'react';
import style from 'swagger-ui-dist/swagger-ui.css?inline';
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { Page } from '../../parts/page.tsx';
import ownStyle from './api-reference.css?inline';

/** Labels the lists of examples, which Swagger UI forgets. Swagger UI brings its own React, so this must use that one. */
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
  // Swagger UI shows its dark colours if the document has this class.
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', scheme === 'dark');
    return () => document.documentElement.classList.remove('dark-mode');
  }, [scheme]);
  return (
    <Page title="API reference">
      <style>{style}</style>
      <style>{ownStyle}</style>
      <div ref={place} id="api-reference" aria-busy={isLoading} />
    </Page>
  );
}
