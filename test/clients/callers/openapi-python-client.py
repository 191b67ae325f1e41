import base64, importlib, json, os, pkgutil, re, sys

sys.path.insert(0, 'client')
import partner_integration_service_client as package
from partner_integration_service_client import api, models

login = base64.b64encode(f"{os.environ['LOGIN']}:{os.environ['SECRET']}".encode()).decode()
client = package.AuthenticatedClient(base_url=os.environ['BASE_URL'], token=login, prefix='Basic')
names = [module.name for module in pkgutil.walk_packages(api.__path__, api.__name__ + '.')]


def snake(name):
    return re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()


for call in json.load(open(os.environ['CALLS'])):
    given = {snake(name): value for name, value in call['parameters'].items()}
    if 'body' in call:
        model, body = getattr(models, call['bodyType']), call['body']
        given['body'] = [model.from_dict(one) for one in body] if isinstance(body, list) else model.from_dict(body)
    module = importlib.import_module(next(name for name in names if name.endswith('.' + snake(call['operationId']))))
    print(call['operationId'], int(module.sync_detailed(client=client, **given).status_code))
