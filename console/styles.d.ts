declare module '*.css';
declare module '*?raw' {
  const text: string;
  export default text;
}
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUi(options: object): void;
}
