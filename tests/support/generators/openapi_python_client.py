"""A client that knows nothing of Peyk but what openapi-python-client makes of openapi.json."""

import json
import os

from made import AuthenticatedClient
from made.api.sending import send_pattern, send_sms
from made.api.verify import check_verification, start_verification
from made.models import CodeOfId, PatternToOne, PatternToOneVariablesType0, Problem, SendSms, VerificationInput

number = os.environ["NUMBER"]
client = AuthenticatedClient(base_url=os.environ["BASE"], token=os.environ["KEY"])


def data_of(answer):
    """The data of an answer that is no error."""
    assert answer is not None and not isinstance(answer, Problem), answer
    return answer.data


sent = data_of(send_sms.sync(client=client, body=SendSms(message="سلام", recipients=[number])))
values = PatternToOneVariablesType0.from_dict({"OTP": 48213})
pattern = PatternToOne(pattern="login", variables=values, recipient=number)
texted = data_of(send_pattern.sync(client=client, body=pattern, idempotency_key="login-1"))
# It reads an id as a UUID, and JSON has texts only.
begun = data_of(start_verification.sync(client=client, body=VerificationInput(recipient=number)))
checked = data_of(check_verification.sync(client=client, body=CodeOfId(id=str(begun.id), code="0000")))
problem = send_sms.sync(client=client, body=SendSms(message="سلام", recipients=["0912"]))
assert isinstance(problem, Problem), problem

outcome = {
    "cost": sent.cost,
    "to": sent.recipients[0].recipient,
    "type": texted.type_,
    "status": begun.status,
    "verified": checked.verified,
    "code": problem.code,
    "place": problem.errors[0].pointer,
}
print(json.dumps(outcome))
