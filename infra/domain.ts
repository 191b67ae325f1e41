import { CfnOutput, type Stack } from 'aws-cdk-lib';
import {
  ApiMapping,
  DomainName,
  type HttpApi,
  type HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Domain } from './config.ts';

/** The custom domain of the API, and what its DNS record (an alias or a CNAME) must point to. */
export function addDomain(
  stack: Stack,
  { name, certificateArn, truststore }: Domain,
  { api, stage }: { api: HttpApi; stage: HttpStage },
): void {
  const domainName = new DomainName(stack, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(stack, 'DomainCertificate', certificateArn),
    securityPolicy: SecurityPolicy.TLS_1_2,
    ...(truststore
      ? { mtls: { ...truststore, bucket: Bucket.fromBucketName(stack, 'Truststore', truststore.bucket) } }
      : {}),
  });
  new ApiMapping(stack, 'DomainMapping', { api, stage, domainName });
  new CfnOutput(stack, 'DomainTarget', { value: domainName.regionalDomainName });
  new CfnOutput(stack, 'DomainTargetHostedZoneId', { value: domainName.regionalHostedZoneId });
}
