import 'swagger-ui-dist/swagger-ui.css';
import './api-reference.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { Page } from '../../parts/page.tsx';

/** The OpenAPI document of this stage, to read: requests are made on the other pages. */
export default function ApiReference() {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    SwaggerUi({
      domNode: place.current,
      url: '/openapi.json',
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      supportedSubmitMethods: [],
      validatorUrl: null,
    });
  }, []);
  return (
    <Page title="API reference">
      <div ref={place} className={scheme === 'dark' ? 'api-reference dark-mode' : 'api-reference'} />
    </Page>
  );
}
