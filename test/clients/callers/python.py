import json, os, re, openapi_client

configuration = openapi_client.Configuration(
    host=os.environ['BASE_URL'], username=os.environ['LOGIN'], password=os.environ['SECRET']
)
client = openapi_client.ApiClient(configuration)
apis = [getattr(openapi_client, name)(client) for name in dir(openapi_client) if name.endswith('Api')]


def snake(name):
    return re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()


for call in json.load(open(os.environ['CALLS'])):
    operation = snake(call['operationId'])
    given = {snake(name): value for name, value in call['parameters'].items()}
    if 'body' in call:
        model, body = getattr(openapi_client, call['bodyType']), call['body']
        read = [model.from_dict(one) for one in body] if isinstance(body, list) else model.from_dict(body)
        given[snake(call['bodyType'])] = read
    api = next(api for api in apis if hasattr(api, operation))
    try:
        status = getattr(api, operation + '_with_http_info')(**given).status_code
    except openapi_client.ApiException as error:
        status = error.status
    print(call['operationId'], status)
