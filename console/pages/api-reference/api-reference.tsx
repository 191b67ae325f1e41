import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type createElement, useEffect, useRef, useState } from 'react';
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import type { ApiError } from '../../api/api-error.ts';
import { loadFile } from '../../api/load-file.ts';
import { Page } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
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
  const style = useQuery<string, ApiError>({
    queryKey: ['style of the API reference'],
    queryFn: async () => (await loadFile(() => import('swagger-ui-dist/swagger-ui.css?inline'))).default,
    staleTime: 'static',
  });
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
      <WithResponse query={style}>{(text) => <style>{text}</style>}</WithResponse>
      <style>{ownStyle}</style>
      <div ref={place} id="api-reference" aria-busy={isLoading} />
    </Page>
  );
}
