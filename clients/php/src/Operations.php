<?php

// Made by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Peyk;

/**
 * A method for each operation of the API.
 *
 * @phpstan-type ProofKey array{
 *     alg: 'EdDSA',
 *     crv: 'Ed25519',
 *     kid: string,
 *     kty: 'OKP',
 *     use: 'sig',
 *     x: string,
 * }
 * @phpstan-type ProofKeys array{
 *     keys: list<ProofKey>,
 * }
 * @phpstan-type AccountStatus 'ACTIVE'|'INACTIVE'
 * @phpstan-type Balance array{
 *     availableBalance: int,
 *     lockedBalance: int,
 *     totalBalance: int,
 *     unit: string,
 * }
 * @phpstan-type AccountInfo array{
 *     accountInfo: array{fullName: string, id: string, plan: array{title: string}, status: AccountStatus, timeZone: string, username: string},
 *     wallet: Balance,
 * }
 * @phpstan-type AccountSettingsInput array{
 *     timeZone?: string|null,
 * }
 * @phpstan-type AccountSettings array{
 *     timeZone: string,
 * }
 * @phpstan-type LowBalance array{
 *     lowBalance: int|null,
 *     unit: string,
 * }
 * @phpstan-type LowBalanceInput array{
 *     lowBalance: int|null,
 * }
 * @phpstan-type Outcomes array{
 *     hasMore: bool,
 *     operators: list<array{delivered: int, failed: int, operator: string, others: int}>,
 *     reasons: list<array{reason: string, recipients: int}>,
 *     recipients: int,
 * }
 * @phpstan-type Transaction array{
 *     amount: int,
 *     availableBalance: int,
 *     createdAt: string,
 *     id: int,
 *     lockedBalance: int,
 *     message: string|null,
 *     note: string|null,
 *     type: 'CREDIT'|'RESERVE'|'SETTLE'|'RELEASE'|'REFUND',
 *     unit: string,
 * }
 * @phpstan-type Unsent array{
 *     hasMore: bool,
 *     hold: bool,
 *     lines: list<array{line: string, oldestSeconds: int, recipients: int}>,
 *     reason: string|null,
 *     recipients: int,
 *     scheduled: int,
 *     withCarriers: int,
 * }
 * @phpstan-type UsageDay array{
 *     date: string,
 *     keys: list<array{by: 'KEY'|'CONSOLE'|'OTHER', key: string|null, live: array{cost: int, messages: int, parts: int, recipients: int, returned: int}, test: array{cost: int, messages: int, parts: int, recipients: int, returned: int}, title: string|null}>,
 *     live: array{cost: int, messages: int, parts: int, pending: int, recipients: int, returned: int, statuses: array{CANCELED: int, DELIVERED: int, EXPIRED: int, REJECTED: int, UNDELIVERED: int, UNKNOWN: int}},
 *     simulated: int,
 *     test: array{cost: int, messages: int, parts: int, pending: int, recipients: int, returned: int, statuses: array{CANCELED: int, DELIVERED: int, EXPIRED: int, REJECTED: int, UNDELIVERED: int, UNKNOWN: int}},
 *     unit: string,
 * }
 * @phpstan-type BlockedNumber array{
 *     createdAt: string,
 *     number: string,
 *     optOut: bool,
 * }
 * @phpstan-type NumberList array{
 *     numbers: list<string>,
 * }
 * @phpstan-type AddedNumbers array{
 *     added: int,
 *     unchanged: int,
 * }
 * @phpstan-type RemovedNumbers array{
 *     removed: int,
 *     unchanged: int,
 * }
 * @phpstan-type CampaignGuard array{
 *     after: int,
 *     failedShare: int|null,
 *     optOutShare: int|null,
 * }
 * @phpstan-type DeliveryError 'ABSENT_SUBSCRIBER'|'UNKNOWN_SUBSCRIBER'|'BLOCKED'|'CONTENT_REFUSED'|'SENDER_REFUSED'|'EXPIRED'|'NO_REPORT'|'BLACKLISTED'|'NOT_A_DESTINATION'|'TEXT_NOT_SENDABLE'|'RECIPIENT_LIMIT'|'CARRIER_ERROR'
 * @phpstan-type CampaignReason 'LOW_BALANCE'|'NO_LINE'|'SENDING_OFF'|'NO_PHONEBOOK'|'NOT_SENDABLE'|'BY_OPERATOR'|'BUDGET'|'DAILY_LIMIT'|'RESTORED'|'FAILED_SHARE'|'OPT_OUT_SHARE'
 * @phpstan-type CampaignState 'COUNTING'|'DRAFT'|'SCHEDULED'|'RUNNING'|'PAUSED'|'STOPPED'|'DONE'|'CANCELED'
 * @phpstan-type Hours array{
 *     from: string,
 *     timeZone: string,
 *     to: string,
 * }
 * @phpstan-type Campaign array{
 *     budget: int|null,
 *     counted: array{cost: int, operators: list<array{cost: int, operator: string, people: int}>, parts: int, people: int, skipped: array<string, int>},
 *     createdAt: string,
 *     endedAt: string|null,
 *     guard: CampaignGuard|null,
 *     id: string,
 *     nextAt: string|null,
 *     perMinute: int|null,
 *     progress: array{canceled: int, cost: int, delivered: int, failed: int, failures?: list<array{count: int, error: DeliveryError, operator: string}>, open: int, optOuts: int, queued: int, recipients: int, returned: int, skipped: int, waves: int},
 *     reason: CampaignReason|null,
 *     resendOf: string|null,
 *     resentAs: string|null,
 *     sendAt: string|null,
 *     simulated?: true,
 *     sourceNumber: string|null,
 *     startedAt: string|null,
 *     state: CampaignState,
 *     test: bool,
 *     title: string,
 *     unit: string,
 *     window: Hours|null,
 * }
 * @phpstan-type FailedGuard array{
 *     after?: int|null,
 *     failedShare: int,
 *     optOutShare?: int|null,
 * }
 * @phpstan-type OptOutGuard array{
 *     after?: int|null,
 *     failedShare?: int|null,
 *     optOutShare: int,
 * }
 * @phpstan-type GuardInput FailedGuard|OptOutGuard
 * @phpstan-type ValueTest array{
 *     attribute: string,
 *     operator: 'EQUALS'|'NOT_EQUALS'|'LESS'|'GREATER'|'CONTAINS',
 *     value: string,
 * }
 * @phpstan-type PresenceTest array{
 *     attribute: string,
 *     operator: 'EXISTS'|'MISSING',
 * }
 * @phpstan-type TestInput ValueTest|PresenceTest
 * @phpstan-type TextCampaign array{
 *     budget?: int|null,
 *     exclude?: array{numbers?: list<string>|null, phonebooks?: list<string>|null}|null,
 *     guard?: GuardInput|null,
 *     message: string,
 *     pattern?: null,
 *     perMinute?: int|null,
 *     phonebooks: list<string>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     title: string,
 *     unknownPlaceholders?: string|null,
 *     where?: array{match?: 'ALL'|'ANY'|null, tests: list<TestInput>}|null,
 *     window?: array{from: string, timeZone: string, to: string}|null,
 * }
 * @phpstan-type PatternCampaign array{
 *     budget?: int|null,
 *     exclude?: array{numbers?: list<string>|null, phonebooks?: list<string>|null}|null,
 *     guard?: GuardInput|null,
 *     message?: null,
 *     pattern: string,
 *     perMinute?: int|null,
 *     phonebooks: list<string>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     title: string,
 *     variables?: array<string, string|float|null>|null,
 *     where?: array{match?: 'ALL'|'ANY'|null, tests: list<TestInput>}|null,
 *     window?: array{from: string, timeZone: string, to: string}|null,
 * }
 * @phpstan-type CampaignInput TextCampaign|PatternCampaign
 * @phpstan-type Condition array{
 *     match: 'ALL'|'ANY',
 *     tests: list<array{attribute: string, operator: 'EQUALS'|'NOT_EQUALS'|'LESS'|'GREATER'|'CONTAINS'|'EXISTS'|'MISSING', value: string|null}>,
 * }
 * @phpstan-type CampaignDetail array{
 *     budget: int|null,
 *     counted: array{cost: int, operators: list<array{cost: int, operator: string, people: int}>, parts: int, people: int, skipped: array<string, int>},
 *     createdAt: string,
 *     endedAt: string|null,
 *     exclude: array{numbers: list<string>, phonebooks: list<string>},
 *     guard: CampaignGuard|null,
 *     id: string,
 *     message: string|null,
 *     nextAt: string|null,
 *     pattern: string|null,
 *     perMinute: int|null,
 *     phonebooks: list<string>,
 *     progress: array{canceled: int, cost: int, delivered: int, failed: int, failures?: list<array{count: int, error: DeliveryError, operator: string}>, open: int, optOuts: int, queued: int, recipients: int, returned: int, skipped: int, waves: int},
 *     reason: CampaignReason|null,
 *     resendOf: string|null,
 *     resentAs: string|null,
 *     sendAt: string|null,
 *     simulated?: true,
 *     sourceNumber: string|null,
 *     startedAt: string|null,
 *     state: CampaignState,
 *     test: bool,
 *     title: string,
 *     unit: string,
 *     variables?: array<string, string>,
 *     where: Condition|null,
 *     window: Hours|null,
 * }
 * @phpstan-type TextCampaignChange array{
 *     budget?: int|null,
 *     exclude?: array{numbers?: list<string>|null, phonebooks?: list<string>|null}|null,
 *     guard?: GuardInput|null,
 *     message?: string,
 *     pattern?: null,
 *     perMinute?: int|null,
 *     phonebooks?: list<string>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     title?: string,
 *     unknownPlaceholders?: string|null,
 *     where?: array{match?: 'ALL'|'ANY'|null, tests: list<TestInput>}|null,
 *     window?: array{from: string, timeZone: string, to: string}|null,
 * }
 * @phpstan-type PatternCampaignChange array{
 *     budget?: int|null,
 *     exclude?: array{numbers?: list<string>|null, phonebooks?: list<string>|null}|null,
 *     guard?: GuardInput|null,
 *     message?: null,
 *     pattern?: string|null,
 *     perMinute?: int|null,
 *     phonebooks?: list<string>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     title?: string,
 *     variables?: array<string, string|float|null>|null,
 *     where?: array{match?: 'ALL'|'ANY'|null, tests: list<TestInput>}|null,
 *     window?: array{from: string, timeZone: string, to: string}|null,
 * }
 * @phpstan-type CampaignChange TextCampaignChange|PatternCampaignChange
 * @phpstan-type RecipientStatus 'SCHEDULED'|'QUEUED'|'UNKNOWN'|'SUBMITTED'|'DELIVERED'|'UNDELIVERED'|'EXPIRED'|'REJECTED'|'CANCELED'|'SKIPPED'
 * @phpstan-type Recipient array{
 *     cost: int,
 *     encoding?: 'GSM7'|'UCS2',
 *     error?: DeliveryError,
 *     message?: string,
 *     parts?: int,
 *     recipient: string,
 *     simulated?: true,
 *     status: RecipientStatus,
 *     textTruncated?: true,
 *     uid: string,
 *     updatedAt: string,
 * }
 * @phpstan-type LinkInput array{
 *     ttlSeconds?: int|null,
 * }
 * @phpstan-type ConsoleLink array{
 *     code: string,
 *     expiresAt: string|null,
 *     url: string,
 * }
 * @phpstan-type Scope 'sms:send'|'sms:read'|'phonebook'|'pattern'|'verify'|'blacklist'|'erasure'|'account:read'|'webhook'|'keys'|'admin'|'admin:read'|'admin:money'|'admin:accounts'|'admin:carriers'|'admin:service'|'admin:metrics'|'admin:transfer'
 * @phpstan-type ConsoleSession array{
 *     account: array{fullName: string, id: string, timeZone: string, username: string}|null,
 *     accounts: list<array{fullName: string|null, id: string, username: string|null}>,
 *     expiresAt: string|null,
 *     keyId: string,
 *     lines: list<string>|null,
 *     member: array{passkeyUser: string|null, phone: string, role: 'OWNER'|'SENDER'|'FINANCE'|'VIEWER'|null, signedInBy: 'CODE'|'PASSKEY'|'LINK'|null}|null,
 *     mode: 'live'|'test',
 *     role: 'CUSTOMER'|'OPERATOR',
 *     scopes: list<Scope>,
 *     title: string,
 * }
 * @phpstan-type ErasedData array{
 *     blacklisted: bool,
 *     canceled: int,
 *     events: int,
 *     inbound: int,
 *     mentions: int,
 *     phonebookNumbers: int,
 *     recipients: int,
 * }
 * @phpstan-type Erasure array{
 *     accounts: int|null,
 *     createdAt: string,
 *     doneAt: string|null,
 *     found: ErasedData,
 *     id: string,
 *     numberEnding: string,
 *     orderedBy: 'ACCOUNT'|'OPERATORS',
 *     status: 'RUNNING'|'DONE',
 * }
 * @phpstan-type ErasureInput array{
 *     number: string,
 * }
 * @phpstan-type Health array{
 *     status: 'UP',
 *     version: string,
 * }
 * @phpstan-type PhonebookNumber array{
 *     attributes: array<string, string>,
 *     createdAt: string,
 *     id: int,
 *     name: string|null,
 *     number: string,
 * }
 * @phpstan-type HeldNumber array{
 *     entry: PhonebookNumber,
 *     phonebookId: string,
 *     title: string,
 * }
 * @phpstan-type Held array{
 *     blacklisted: bool,
 *     inbound: int,
 *     messages: int,
 *     number: string,
 *     optOut: bool,
 *     phonebooks: list<HeldNumber>,
 * }
 * @phpstan-type InboundMessage array{
 *     from: string,
 *     id: string,
 *     line: string,
 *     number: int,
 *     optOut: bool,
 *     receivedAt: string,
 *     taken: bool,
 *     text: string,
 *     textTruncated?: true,
 * }
 * @phpstan-type InboundToTake array{
 *     limit?: int|null,
 *     line?: string|null,
 * }
 * @phpstan-type TakenInbound array{
 *     messages: list<InboundMessage>,
 * }
 * @phpstan-type OwnKey array{
 *     createdAt: string,
 *     createdBy: string|null,
 *     current: bool,
 *     dailySpend: int|null,
 *     expiresAt: string|null,
 *     hint: string|null,
 *     id: string,
 *     ips: list<string>|null,
 *     lastAddress: string|null,
 *     lastUsedAt: string|null,
 *     lines: list<string>|null,
 *     mode: 'live'|'test',
 *     ratePerMinute: int|null,
 *     replacedBy: string|null,
 *     revokedAt: string|null,
 *     scopes: list<Scope>,
 *     sessionOf: string|null,
 *     title: string,
 * }
 * @phpstan-type AccountScope 'sms:send'|'sms:read'|'phonebook'|'pattern'|'verify'|'blacklist'|'erasure'|'account:read'|'webhook'|'keys'
 * @phpstan-type OwnKeyInput array{
 *     dailySpend?: int|null,
 *     expiresAt?: string|null,
 *     form?: 'PEYK'|'HEX32'|'HEX64'|null,
 *     ips?: list<string>|null,
 *     key?: null,
 *     lines?: list<string>|null,
 *     mode?: 'live'|'test'|null,
 *     ratePerMinute?: int|null,
 *     scopes?: list<AccountScope>|null,
 *     title: string,
 * }
 * @phpstan-type IssuedKey array{
 *     createdAt: string,
 *     createdBy: string|null,
 *     dailySpend: int|null,
 *     expiresAt: string|null,
 *     hint: string|null,
 *     id: string,
 *     ips: list<string>|null,
 *     key: string,
 *     lastAddress: string|null,
 *     lastUsedAt: string|null,
 *     lines: list<string>|null,
 *     mode: 'live'|'test',
 *     ratePerMinute: int|null,
 *     replacedBy: string|null,
 *     revokedAt: string|null,
 *     scopes: list<Scope>,
 *     sessionOf: string|null,
 *     title: string,
 * }
 * @phpstan-type Cascade array{
 *     keys: list<array{id: string, revokedAt: string, title: string}>,
 *     webhooks: list<array{id: string, url: string}>,
 * }
 * @phpstan-type Rotation array{
 *     form?: 'PEYK'|'HEX32'|'HEX64'|null,
 *     graceSeconds?: int|null,
 * }
 * @phpstan-type RotatedKey array{
 *     createdAt: string,
 *     createdBy: string|null,
 *     dailySpend: int|null,
 *     expiresAt: string|null,
 *     hint: string|null,
 *     id: string,
 *     ips: list<string>|null,
 *     key: string,
 *     lastAddress: string|null,
 *     lastUsedAt: string|null,
 *     lines: list<string>|null,
 *     mode: 'live'|'test',
 *     ratePerMinute: int|null,
 *     replacedBy: string|null,
 *     replaces: array{expiresAt: string|null, id: string},
 *     revokedAt: string|null,
 *     scopes: list<Scope>,
 *     sessionOf: string|null,
 *     title: string,
 * }
 * @phpstan-type OwnLine array{
 *     cheapest: bool,
 *     class: 'ADVERTISING'|'SERVICE',
 *     default: bool,
 *     hours: Hours|null,
 *     number: string,
 *     operations: list<'WEBSERVICE'|'PATTERN'>,
 *     shared: bool,
 *     suffix: string|null,
 * }
 * @phpstan-type Member array{
 *     createdAt: string,
 *     createdBy: string|null,
 *     id: string,
 *     joinedAt: string|null,
 *     lastSignInAt: string|null,
 *     name: string,
 *     phone: string,
 *     role: 'OWNER'|'SENDER'|'FINANCE'|'VIEWER',
 * }
 * @phpstan-type AccountMemberInput array{
 *     invite?: bool|null,
 *     name: string,
 *     phone: string,
 *     role: 'OWNER'|'SENDER'|'FINANCE'|'VIEWER',
 * }
 * @phpstan-type SignInRule array{
 *     require: 'CODE'|'PASSKEY',
 * }
 * @phpstan-type SignInRuleInput array{
 *     require: 'CODE'|'PASSKEY',
 * }
 * @phpstan-type AccountMemberChange array{
 *     name?: string|null,
 *     role?: 'OWNER'|'SENDER'|'FINANCE'|'VIEWER'|null,
 * }
 * @phpstan-type MessageStatus 'SCHEDULED'|'QUEUED'|'SENDING'|'DONE'|'CANCELED'
 * @phpstan-type MessageType 'PLAIN'|'PATTERN'|'PHONEBOOK'|'BULK'|'VERIFY'|'SIGN_IN'
 * @phpstan-type MessageSummary array{
 *     campaign?: string,
 *     clientRef: string|null,
 *     cost: int,
 *     createdAt: string,
 *     delivered: int,
 *     encoding: 'GSM7'|'UCS2',
 *     failed: int,
 *     message: string|null,
 *     parts: int,
 *     paused?: bool,
 *     pausedUntil?: string,
 *     recipientCount: int,
 *     sendAt: string|null,
 *     simulated?: true,
 *     skipped?: int,
 *     sourceNumber: string,
 *     status: MessageStatus,
 *     test: bool,
 *     textTruncated?: true,
 *     type: MessageType,
 *     uid: string,
 *     unit: string,
 *     waitsFor?: 'HOURS',
 *     waitsUntil?: string,
 * }
 * @phpstan-type RecipientsByUid array{
 *     clientRefs?: null,
 *     recipients: list<string>,
 * }
 * @phpstan-type RecipientsByReference array{
 *     clientRefs: list<string>,
 * }
 * @phpstan-type RecipientsToFind RecipientsByUid|RecipientsByReference
 * @phpstan-type FoundRecipient array{
 *     asked: string,
 *     clientRef: string|null,
 *     cost: int,
 *     createdAt: string,
 *     error?: DeliveryError,
 *     parts: int,
 *     recipient: string,
 *     recipientCount: int,
 *     sendAt: string|null,
 *     simulated?: true,
 *     sourceNumber: string,
 *     status: RecipientStatus,
 *     text: string,
 *     uid: string,
 *     updatedAt: string,
 * }
 * @phpstan-type FoundRecipients array{
 *     recipients: list<FoundRecipient>,
 * }
 * @phpstan-type Message array{
 *     campaign?: string,
 *     clientRef: string|null,
 *     cost: int,
 *     counts: array{CANCELED?: int, DELIVERED?: int, EXPIRED?: int, QUEUED?: int, REJECTED?: int, SCHEDULED?: int, SKIPPED?: int, SUBMITTED?: int, UNDELIVERED?: int, UNKNOWN?: int},
 *     createdAt: string,
 *     delivered: int,
 *     encoding: 'GSM7'|'UCS2',
 *     failed: int,
 *     message: string|null,
 *     parts: int,
 *     paused?: bool,
 *     pausedUntil?: string,
 *     recipientCount: int,
 *     recipients: list<Recipient>,
 *     refunded: int,
 *     released: int,
 *     reserved: int,
 *     returned: int,
 *     sendAt: string|null,
 *     simulated?: true,
 *     skipped?: int,
 *     sourceNumber: string,
 *     spent: int,
 *     status: MessageStatus,
 *     test: bool,
 *     textTruncated?: true,
 *     type: MessageType,
 *     uid: string,
 *     unit: string,
 *     waitsFor?: 'HOURS',
 *     waitsUntil?: string,
 * }
 * @phpstan-type CanceledMessage array{
 *     campaign?: string,
 *     canceled: int,
 *     clientRef: string|null,
 *     cost: int,
 *     counts: array{CANCELED?: int, DELIVERED?: int, EXPIRED?: int, QUEUED?: int, REJECTED?: int, SCHEDULED?: int, SKIPPED?: int, SUBMITTED?: int, UNDELIVERED?: int, UNKNOWN?: int},
 *     createdAt: string,
 *     delivered: int,
 *     encoding: 'GSM7'|'UCS2',
 *     failed: int,
 *     left: int,
 *     message: string|null,
 *     parts: int,
 *     paused?: bool,
 *     pausedUntil?: string,
 *     recipientCount: int,
 *     recipients: list<Recipient>,
 *     refunded: int,
 *     released: int,
 *     reserved: int,
 *     returned: int,
 *     sendAt: string|null,
 *     simulated?: true,
 *     skipped?: int,
 *     sourceNumber: string,
 *     spent: int,
 *     status: MessageStatus,
 *     test: bool,
 *     textTruncated?: true,
 *     type: MessageType,
 *     uid: string,
 *     unit: string,
 *     waitsFor?: 'HOURS',
 *     waitsUntil?: string,
 *     withCarriers: int,
 * }
 * @phpstan-type Variable array{
 *     maxLength: int,
 *     name: string,
 *     secret: bool,
 *     type: 'TEXT'|'NUMBER'|'LINK'|'ENUM',
 *     values: list<string>|null,
 * }
 * @phpstan-type PatternVersion array{
 *     createdAt: string,
 *     reason?: string,
 *     status: 'ACTIVE'|'DRAFT'|'PENDING'|'REFUSED'|'RETIRED',
 *     text: string,
 *     textTruncated?: true,
 *     variables: list<Variable>,
 *     version: int,
 * }
 * @phpstan-type Pattern array{
 *     createdAt: string,
 *     lines: list<string>,
 *     slug: string,
 *     title: string,
 *     versions: list<PatternVersion>,
 * }
 * @phpstan-type FreeVariableInput array{
 *     maxLength?: int|null,
 *     name: string,
 *     secret?: bool|null,
 *     type?: 'TEXT'|'NUMBER'|'LINK'|null,
 *     values?: list<never>|null,
 * }
 * @phpstan-type ChoiceInput array{
 *     maxLength?: int|null,
 *     name: string,
 *     secret?: bool|null,
 *     type: 'ENUM',
 *     values: list<string>,
 * }
 * @phpstan-type VariableInput FreeVariableInput|ChoiceInput
 * @phpstan-type PatternWithVersion array{
 *     lines?: list<string>|null,
 *     slug?: string|null,
 *     text: string,
 *     title: string,
 *     variables?: list<VariableInput>|null,
 * }
 * @phpstan-type PatternWithoutVersion array{
 *     lines?: list<string>|null,
 *     slug?: string|null,
 *     text?: null,
 *     title: string,
 * }
 * @phpstan-type PatternInput PatternWithVersion|PatternWithoutVersion
 * @phpstan-type PatternChange array{
 *     lines?: list<string>|null,
 *     title?: string|null,
 * }
 * @phpstan-type PatternVersionInput array{
 *     text: string,
 *     variables?: list<VariableInput>|null,
 * }
 * @phpstan-type Phonebook array{
 *     count: int,
 *     createdAt: string,
 *     description: string|null,
 *     id: string,
 *     title: string,
 * }
 * @phpstan-type PhonebookInput array{
 *     description?: string|null,
 *     title: string,
 * }
 * @phpstan-type PhonebookChangeById array{
 *     description?: string|null,
 *     id: string,
 *     title?: string,
 * }
 * @phpstan-type OneNumber array{
 *     attributes?: array<string, string|float|null>|null,
 *     name?: string|null,
 *     number: string,
 *     numbers?: null,
 * }
 * @phpstan-type NumberInput array{
 *     attributes?: array<string, string|float|null>|null,
 *     name?: string|null,
 *     number: string,
 * }
 * @phpstan-type ManyNumbers array{
 *     number?: null,
 *     numbers: list<string|NumberInput>,
 * }
 * @phpstan-type AddNumbers OneNumber|ManyNumbers
 * @phpstan-type AddedToPhonebook array{
 *     added: int,
 *     invalid: list<array{detail: string, index: int, value: string|null}>,
 *     numbers: list<PhonebookNumber>,
 *     updated: int,
 * }
 * @phpstan-type NumberChange array{
 *     attributes?: array<string, string|float|null>|null,
 *     name?: string|null,
 *     number?: string|null,
 * }
 * @phpstan-type PhonebookChange array{
 *     description?: string|null,
 *     title?: string,
 * }
 * @phpstan-type ImportedColumns array{
 *     attributes: list<string>,
 *     leftOut: list<string>,
 *     name: string|null,
 *     number: string,
 * }
 * @phpstan-type ImportedNumbers array{
 *     added: int,
 *     columns: ImportedColumns,
 *     invalid: list<array{detail: string, line: int, value: string|null}>,
 *     invalidCount: int,
 *     lines: int,
 *     updated: int,
 * }
 * @phpstan-type PriceTo array{
 *     prefix: string,
 *     price: int,
 * }
 * @phpstan-type Tariff array{
 *     destinations: list<string>,
 *     maxParts: int,
 *     maxPhonebookRecipients: int,
 *     maxRecipients: int,
 *     plan: array{title: string},
 *     tariff: array{price: int, prices: list<PriceTo>, slug: string, title: string},
 *     textsCoefficients: list<array{ENGLISH: float, MCI: float, MTN: float, PATTERN: float, PERSIAN: float, WEBSERVICE: float, title: string}>,
 * }
 * @phpstan-type BulkText array{
 *     message: string,
 *     pattern?: null,
 *     recipient: string,
 * }
 * @phpstan-type BulkPattern array{
 *     message?: null,
 *     pattern: string,
 *     recipient: string,
 *     variables?: array<string, string|float|null>|null,
 * }
 * @phpstan-type BulkItem BulkText|BulkPattern
 * @phpstan-type BulkSend array{
 *     blacklisted?: string|null,
 *     clientRef?: string|null,
 *     encoding?: string|null,
 *     messages: list<BulkItem>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 * }
 * @phpstan-type SentRecipient array{
 *     cost: int,
 *     recipient: string,
 *     status: RecipientStatus,
 *     uid: string,
 * }
 * @phpstan-type SentMessage array{
 *     clientRef: string|null,
 *     cost: int,
 *     encoding: 'GSM7'|'UCS2',
 *     parts: int,
 *     recipients: list<SentRecipient>,
 *     saved?: int,
 *     sendAt: string|null,
 *     skipped?: int,
 *     sourceNumber: string,
 *     status: MessageStatus,
 *     text?: string,
 *     type: MessageType,
 *     uid: string,
 *     unit: string,
 *     waitsFor?: 'HOURS',
 *     waitsUntil?: string,
 * }
 * @phpstan-type Send array{
 *     blacklisted?: string|null,
 *     clientRef?: string|null,
 *     encoding?: string|null,
 *     message: string,
 *     recipients: list<string>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 * }
 * @phpstan-type EstimateOfSend array{
 *     send: Send,
 * }
 * @phpstan-type PatternToOne array{
 *     blacklisted?: string|null,
 *     clientRef?: string|null,
 *     encoding?: string|null,
 *     pattern: string,
 *     recipient: string,
 *     recipients?: null,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     variables?: array<string, string|float|null>|null,
 * }
 * @phpstan-type PatternToMany array{
 *     blacklisted?: string|null,
 *     clientRef?: string|null,
 *     encoding?: string|null,
 *     pattern: string,
 *     recipient?: null,
 *     recipients: list<string>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     variables?: array<string, string|float|null>|null,
 * }
 * @phpstan-type PatternSend PatternToOne|PatternToMany
 * @phpstan-type EstimateOfPattern array{
 *     pattern: PatternSend,
 * }
 * @phpstan-type TextToPhonebook array{
 *     blacklisted?: string|null,
 *     clientRef?: string|null,
 *     encoding?: string|null,
 *     exclude?: list<string>|null,
 *     message: string,
 *     phonebook: string,
 *     phonebooks?: null,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     unknownPlaceholders?: string|null,
 * }
 * @phpstan-type TextToPhonebooks array{
 *     blacklisted?: string|null,
 *     clientRef?: string|null,
 *     encoding?: string|null,
 *     exclude?: list<string>|null,
 *     message: string,
 *     phonebook?: null,
 *     phonebooks: list<string>,
 *     sendAt?: string|null,
 *     sourceNumber?: string|null,
 *     unknownPlaceholders?: string|null,
 * }
 * @phpstan-type PhonebookSend TextToPhonebook|TextToPhonebooks
 * @phpstan-type EstimateOfPhonebook array{
 *     phonebook: PhonebookSend,
 * }
 * @phpstan-type EstimateOfBulk array{
 *     bulk: BulkSend,
 * }
 * @phpstan-type EstimateRequest EstimateOfSend|EstimateOfPattern|EstimateOfPhonebook|EstimateOfBulk
 * @phpstan-type Alternative array{
 *     changes: list<'MARKS'|'COMPOSED'|'LETTERS'|'BLANKS'|'LOOK_ALIKES'|'DIGITS'|'NO_BREAK_SPACE'>,
 *     cost: int,
 *     encoding: 'GSM7'|'UCS2',
 *     parts: int,
 *     text: string,
 * }
 * @phpstan-type EstimateFault array{
 *     code: int,
 *     detail: string,
 *     errors: list<array{detail: string, pointer: string}>,
 *     extra: list<string>,
 *     name: 'BadRequest'|'Unauthorized'|'Forbidden'|'NotFound'|'MethodNotAllowed'|'Conflict'|'PayloadTooLarge'|'UnsupportedMediaType'|'ErrorTypeValidation'|'TooManyRequests'|'InternalServerError'|'ServiceUnavailable'|'UserInactive'|'InsufficientBalance'|'DailyLimitReached'|'SmsSendNotAllowed'|'SmsHeadNumberNotFound'|'SmsPatternNoActiveVersion'|'SmsPatternHeadNumberNotAcceptable'|'SmsPatternVariableHasNoValue'|'SmsPatternVariableNotValid'|'SmsDestinationNotAllowed'|'SmsRecipientBlacklisted'|'SmsRecipientLimit'|'VerifyNotPending',
 *     status: int,
 * }
 * @phpstan-type Estimate array{
 *     alternatives: list<Alternative>,
 *     cost: int,
 *     encoding: 'GSM7'|'UCS2',
 *     faults: list<EstimateFault>,
 *     parts: int,
 *     recipients: int,
 *     samples?: list<string>,
 *     saved?: int,
 *     skipped?: int,
 *     sourceNumber: string,
 *     suffix?: string,
 *     test: bool,
 *     text?: string,
 *     type: MessageType,
 *     unit: string,
 *     waitsFor?: 'HOURS',
 *     waitsUntil?: string,
 * }
 * @phpstan-type Verification array{
 *     attemptsLeft: int,
 *     clientRef: string|null,
 *     cost: int,
 *     createdAt: string,
 *     endedAt: string|null,
 *     expiresAt: string,
 *     id: string,
 *     messageUid: string|null,
 *     purpose: string,
 *     recipient: string,
 *     resendAt: string|null,
 *     sends: int,
 *     status: 'PENDING'|'APPROVED'|'FAILED'|'EXPIRED'|'CANCELED'|'BLOCKED',
 *     test: bool,
 *     unit: string,
 * }
 * @phpstan-type PendingVerifications array{
 *     verifications: list<Verification>,
 * }
 * @phpstan-type VerifyContext array{
 *     ip?: string|null,
 * }
 * @phpstan-type VerificationInput array{
 *     appHash?: string|null,
 *     clientRef?: string|null,
 *     codeLength?: int|null,
 *     context?: VerifyContext|null,
 *     domain?: string|null,
 *     language?: 'fa'|'en'|null,
 *     maxAttempts?: int|null,
 *     pattern?: string|null,
 *     purpose?: string|null,
 *     recipient: string,
 *     sourceNumber?: string|null,
 *     ttlSeconds?: int|null,
 *     variables?: array<string, string|float|null>|null,
 * }
 * @phpstan-type CodeOfId array{
 *     code: string,
 *     id: string,
 *     purpose?: null,
 *     recipient?: null,
 * }
 * @phpstan-type CodeOfRecipient array{
 *     code: string,
 *     purpose?: string|null,
 *     recipient: string,
 * }
 * @phpstan-type CheckVerification CodeOfId|CodeOfRecipient
 * @phpstan-type VerificationCheck array{
 *     attemptsLeft: int,
 *     id: string,
 *     proof?: string,
 *     purpose: string,
 *     recipient: string,
 *     status: 'PENDING'|'APPROVED'|'FAILED'|'EXPIRED'|'CANCELED'|'BLOCKED',
 *     verified: bool,
 * }
 * @phpstan-type VerifyStatsRow array{
 *     approved: int,
 *     blocked: int,
 *     checked: int,
 *     medianSeconds: int|null,
 *     name: string,
 *     pausedUntil: string|null,
 *     sent: int,
 *     started: int,
 * }
 * @phpstan-type VerifyStats array{
 *     by: 'day'|'prefix'|'line'|'carrier',
 *     from: string,
 *     rows: list<VerifyStatsRow>,
 *     to: string,
 * }
 * @phpstan-type EventType 'message.status'|'message.submitted'|'message.received'|'wallet.low'|'verify.status'|'verify.paused'|'campaign.paused'|'campaign.stopped'|'campaign.done'|'pattern.reviewed'|'webhook.disabled'
 * @phpstan-type Endpoint array{
 *     active: bool,
 *     createdAt: string,
 *     createdBy: string|null,
 *     description: string|null,
 *     disabledReason: 'GONE'|'FAILING'|'KEY_REVOKED'|null,
 *     events: list<EventType>,
 *     failingSince: string|null,
 *     id: string,
 *     lowBalance: int|null,
 *     mode: 'live'|'test',
 *     url: string,
 * }
 * @phpstan-type EndpointInput array{
 *     active?: bool|null,
 *     description?: string|null,
 *     events: list<EventType>,
 *     lowBalance?: int|null,
 *     url: string,
 * }
 * @phpstan-type EndpointWithSecret array{
 *     active: bool,
 *     createdAt: string,
 *     createdBy: string|null,
 *     description: string|null,
 *     disabledReason: 'GONE'|'FAILING'|'KEY_REVOKED'|null,
 *     events: list<EventType>,
 *     failingSince: string|null,
 *     id: string,
 *     lowBalance: int|null,
 *     mode: 'live'|'test',
 *     secret: string,
 *     url: string,
 * }
 * @phpstan-type EndpointChange array{
 *     active?: bool|null,
 *     description?: string|null,
 *     events?: list<EventType>,
 *     lowBalance?: int|null,
 *     url?: string,
 * }
 * @phpstan-type Delivery array{
 *     attempts: int,
 *     createdAt: string,
 *     error: 'NO_ANSWER'|'REDIRECT'|'STATUS'|'GONE'|'ADDRESS_REFUSED'|'BACKLOG_FULL'|'INTERNAL'|null,
 *     id: string,
 *     lastAttemptAt: string|null,
 *     nextAttemptAt: string|null,
 *     responseBody: string|null,
 *     responseStatus: int|null,
 *     status: 'WAITING'|'DELIVERED'|'FAILED'|'DROPPED'|'NOTED',
 *     type: 'message.status'|'message.submitted'|'message.received'|'wallet.low'|'verify.status'|'verify.paused'|'campaign.paused'|'campaign.stopped'|'campaign.done'|'pattern.reviewed'|'webhook.disabled'|'webhook.test',
 * }
 * @phpstan-type DeliveryWithRequest array{
 *     attempts: int,
 *     body: string,
 *     createdAt: string,
 *     error: 'NO_ANSWER'|'REDIRECT'|'STATUS'|'GONE'|'ADDRESS_REFUSED'|'BACKLOG_FULL'|'INTERNAL'|null,
 *     id: string,
 *     lastAttemptAt: string|null,
 *     nextAttemptAt: string|null,
 *     responseBody: string|null,
 *     responseStatus: int|null,
 *     status: 'WAITING'|'DELIVERED'|'FAILED'|'DROPPED'|'NOTED',
 *     type: 'message.status'|'message.submitted'|'message.received'|'wallet.low'|'verify.status'|'verify.paused'|'campaign.paused'|'campaign.stopped'|'campaign.done'|'pattern.reviewed'|'webhook.disabled'|'webhook.test',
 *     url: string,
 * }
 */
abstract class Operations extends Transport
{
    /**
     * Returns the keys that check proofs, as a JWK Set (RFC 7517).
     *
     * @return ProofKeys
     */
    public function getProofKeys(): array
    {
        return $this->request('GET', '/.well-known/jwks.json');
    }

    /**
     * Returns the wallet, the status and the plan of the account.
     *
     * @return AccountInfo
     */
    public function getAccountInfo(): array
    {
        return $this->request('GET', '/account/info')['data'];
    }

    /**
     * Changes what the account decides for itself: `{"timeZone"?}`.
     *
     * @param AccountSettingsInput $body
     * @return AccountSettings
     */
    public function changeAccountInfo(array $body): array
    {
        return $this->request('PATCH', '/account/info', body: $body)['data'];
    }

    /**
     * Returns the balance below which the account's endpoints get `wallet.low`.
     *
     * @return LowBalance
     */
    public function getLowBalance(): array
    {
        return $this->request('GET', '/account/low-balance')['data'];
    }

    /**
     * Sets the balance below which the endpoints without a `lowBalance` of their own get `wallet.low`:
     * `{"lowBalance"}`.
     *
     * @param LowBalanceInput $body
     * @return LowBalance
     */
    public function setLowBalance(array $body): array
    {
        return $this->request('PUT', '/account/low-balance', body: $body)['data'];
    }

    /**
     * Says how the newest messages have ended, by mobile operator, and why some have not arrived. Filter: `from`.
     *
     * @return Outcomes
     */
    public function getOutcomes(?string $from = null): array
    {
        return $this->request('GET', '/account/outcomes', query: ['from' => $from])['data'];
    }

    /**
     * Lists the entries of the account's ledger, newest first. Filters: `type`, `from`, `to`, `message`.
     * `exportTransactions` has them as a file.
     *
     * @param 'CREDIT'|'RESERVE'|'SETTLE'|'RELEASE'|'REFUND'|null $type
     * @return \Generator<int, Transaction>
     */
    public function listTransactions(
        ?string $type = null,
        ?string $from = null,
        ?string $to = null,
        ?string $message = null,
    ): \Generator {
        return $this->pages('/account/transactions', query: ['type' => $type, 'from' => $from, 'to' => $to, 'message' => $message]);
    }

    /**
     * Says how many recipients have not left yet, and on which lines they wait longer than they should.
     *
     * @return Unsent
     */
    public function getUnsent(): array
    {
        return $this->request('GET', '/account/unsent')['data'];
    }

    /**
     * Counts what the account has sent, by day and by key, newest first. Filters: `from`, `to`.
     *
     * @return \Generator<int, UsageDay>
     */
    public function listUsage(?string $from = null, ?string $to = null): \Generator
    {
        return $this->pages('/account/usage', query: ['from' => $from, 'to' => $to]);
    }

    /**
     * Lists the numbers on the blacklist. Filter: `number`.
     *
     * @return \Generator<int, BlockedNumber>
     */
    public function listBlacklist(?string $number = null): \Generator
    {
        return $this->pages('/blacklist', query: ['number' => $number]);
    }

    /**
     * Adds numbers to the blacklist: `{"numbers"}`.
     *
     * @param NumberList $body
     * @return AddedNumbers
     */
    public function addToBlacklist(array $body): array
    {
        return $this->request('POST', '/blacklist', body: $body, repeatable: true)['data'];
    }

    /**
     * Removes numbers from the blacklist: `{"numbers"}`, or `number` in the query.
     *
     * @param NumberList|null $body
     * @return RemovedNumbers
     */
    public function removeFromBlacklist(?array $body = null, ?string $number = null): array
    {
        return $this->request('DELETE', '/blacklist', query: ['number' => $number], body: $body)['data'];
    }

    /**
     * Lists the campaigns, newest first.
     *
     * @return \Generator<int, Campaign>
     */
    public function listCampaigns(): \Generator
    {
        return $this->pages('/campaigns');
    }

    /**
     * Makes a campaign of a text or a pattern to phonebooks, and counts its people.
     *
     * @param CampaignInput $body
     * @return CampaignDetail
     */
    public function createCampaign(array $body): array
    {
        return $this->request('POST', '/campaigns', body: $body)['data'];
    }

    /**
     * Returns a campaign: what it sends to whom, and what it has come to so far.
     *
     * @return CampaignDetail
     */
    public function getCampaign(string $id): array
    {
        return $this->request('GET', '/campaigns/' . self::segment($id))['data'];
    }

    /**
     * Changes a campaign.
     *
     * @param CampaignChange $body
     * @return CampaignDetail
     */
    public function changeCampaign(string $id, array $body): array
    {
        return $this->request('PATCH', '/campaigns/' . self::segment($id), body: $body)['data'];
    }

    /** Deletes a campaign that was not started or has ended. Its messages stay. */
    public function deleteCampaign(string $id): void
    {
        $this->request('DELETE', '/campaigns/' . self::segment($id));
    }

    /**
     * Ends a campaign for good. What has not left of its newest wave is canceled, and paid back.
     *
     * @return CampaignDetail
     */
    public function cancelCampaign(string $id): array
    {
        return $this->request('POST', '/campaigns/' . self::segment($id) . '/cancel')['data'];
    }

    /**
     * Pauses a campaign: nothing more of it leaves until it is resumed. The wave that is on its way is paused with it.
     *
     * @return CampaignDetail
     */
    public function pauseCampaign(string $id): array
    {
        return $this->request('POST', '/campaigns/' . self::segment($id) . '/pause')['data'];
    }

    /**
     * Lists the people of a campaign, wave by wave, with what became of each. Filters: `status`, `recipient`, `error`.
     * `request` has them as a file, with `format=csv`.
     *
     * @param 'SCHEDULED'|'QUEUED'|'UNKNOWN'|'SUBMITTED'|'DELIVERED'|'UNDELIVERED'|'EXPIRED'|'REJECTED'|'CANCELED'|'SKIPPED'|null $status
     * @param 'ABSENT_SUBSCRIBER'|'UNKNOWN_SUBSCRIBER'|'BLOCKED'|'CONTENT_REFUSED'|'SENDER_REFUSED'|'EXPIRED'|'NO_REPORT'|'BLACKLISTED'|'NOT_A_DESTINATION'|'TEXT_NOT_SENDABLE'|'RECIPIENT_LIMIT'|'CARRIER_ERROR'|null $error
     * @return \Generator<int, Recipient>
     */
    public function listCampaignRecipients(
        string $id,
        ?string $status = null,
        ?string $recipient = null,
        ?string $error = null,
    ): \Generator {
        return $this->pages('/campaigns/' . self::segment($id) . '/recipients', query: ['status' => $status, 'recipient' => $recipient, 'error' => $error]);
    }

    /**
     * Makes the resend of a campaign that has ended: another campaign, to those whom it certainly did not reach. Asked
     * again, it answers the same one.
     *
     * @return CampaignDetail
     */
    public function resendCampaign(string $id): array
    {
        return $this->request('POST', '/campaigns/' . self::segment($id) . '/resend')['data'];
    }

    /**
     * Lets a campaign go on that is paused or was stopped. Its waves count for this key from now on.
     *
     * @return CampaignDetail
     */
    public function resumeCampaign(string $id): array
    {
        return $this->request('POST', '/campaigns/' . self::segment($id) . '/resume')['data'];
    }

    /**
     * Starts a campaign: at once, or at its time. Started again, it stays as it is.
     *
     * @return CampaignDetail
     */
    public function startCampaign(string $id): array
    {
        return $this->request('POST', '/campaigns/' . self::segment($id) . '/start')['data'];
    }

    /**
     * Makes a link that opens one session of the console for the key of the request: `{"ttlSeconds"?}`.
     *
     * @param LinkInput $body
     * @return ConsoleLink
     */
    public function makeConsoleLink(array $body): array
    {
        return $this->request('POST', '/console/link', body: $body)['data'];
    }

    /**
     * Says who is signed in.
     *
     * @return ConsoleSession
     */
    public function getConsoleSession(): array
    {
        return $this->request('GET', '/console/session')['data'];
    }

    /** Opens a session of the console for the key of the request, in a cookie. */
    public function openConsoleSession(): void
    {
        $this->request('POST', '/console/session');
    }

    /** Ends the session and its cookie. `?everywhere=true`: all sessions of the same key. */
    public function endConsoleSession(?bool $everywhere = null): void
    {
        $this->request('DELETE', '/console/session', query: ['everywhere' => $everywhere]);
    }

    /**
     * Lists the orders to erase a number.
     *
     * @return \Generator<int, Erasure>
     */
    public function listErasures(): \Generator
    {
        return $this->pages('/erasures');
    }

    /**
     * Returns an order to erase a number: whether it is done, and what it has met.
     *
     * @return Erasure
     */
    public function getErasure(string $id): array
    {
        return $this->request('GET', '/erasures/' . self::segment($id))['data'];
    }

    /**
     * Says that the service is up, and its version.
     *
     * @return Health
     */
    public function getHealth(): array
    {
        return $this->request('GET', '/health')['data'];
    }

    /**
     * Tells what the account has on a number: `number` in the query.
     *
     * @return Held
     */
    public function getHeld(string $number): array
    {
        return $this->request('GET', '/held', query: ['number' => $number])['data'];
    }

    /**
     * Lists what phones have sent to the account, newest first. Filters: `line`, `from`, `since`, `until`, `taken`.
     *
     * @return \Generator<int, InboundMessage>
     */
    public function listInbound(
        ?string $line = null,
        ?string $from = null,
        ?string $since = null,
        ?string $until = null,
        ?bool $taken = null,
    ): \Generator {
        return $this->pages('/inbound', query: ['line' => $line, 'from' => $from, 'since' => $since, 'until' => $until, 'taken' => $taken]);
    }

    /**
     * Returns the oldest messages from phones that were not taken before, and marks them as taken: `{"line"?,
     * "limit"?}`.
     *
     * @param InboundToTake $body
     * @return TakenInbound
     */
    public function takeInbound(array $body): array
    {
        return $this->request('POST', '/inbound/take', body: $body)['data'];
    }

    /**
     * Lists the keys of the account, newest first.
     *
     * @return \Generator<int, OwnKey>
     */
    public function listKeys(): \Generator
    {
        return $this->pages('/keys');
    }

    /**
     * Issues a key that has no more than the caller's: `{"title", "scopes"?, "expiresAt"?, "lines"?, "mode"?, "ips"?,
     * "ratePerMinute"?, "dailySpend"?}`. Shows it once.
     *
     * @param OwnKeyInput $body
     * @return IssuedKey
     */
    public function issueKey(array $body): array
    {
        return $this->request('POST', '/keys', body: $body)['data'];
    }

    /**
     * Revokes a key that has no more than the caller's, at once. `?cascade=true`: with all that comes from it.
     *
     * @return Cascade|null
     */
    public function revokeKey(string $id, ?bool $cascade = null): ?array
    {
        return $this->request('DELETE', '/keys/' . self::segment($id), query: ['cascade' => $cascade])['data'] ?? null;
    }

    /**
     * Replaces a key that has no more than the caller's. The old one works for `graceSeconds` more, a day if left out.
     *
     * @param Rotation $body
     * @return RotatedKey
     */
    public function rotateKey(string $id, array $body): array
    {
        return $this->request('POST', '/keys/' . self::segment($id) . '/rotate', body: $body)['data'];
    }

    /**
     * Lists the lines that the caller may send from.
     *
     * @return \Generator<int, OwnLine>
     */
    public function listLines(): \Generator
    {
        return $this->pages('/lines');
    }

    /**
     * Lists the members of the account, newest first.
     *
     * @return \Generator<int, Member>
     */
    public function listMembers(): \Generator
    {
        return $this->pages('/members');
    }

    /**
     * Admits a person who signs in to the console, and sends an invitation: `{"phone", "name", "role", "invite"?}`.
     *
     * @param AccountMemberInput $body
     * @return Member
     */
    public function addMember(array $body): array
    {
        return $this->request('POST', '/members', body: $body)['data'];
    }

    /**
     * Returns what members need to sign in.
     *
     * @return SignInRule
     */
    public function getSignInRule(): array
    {
        return $this->request('GET', '/members/sign-in')['data'];
    }

    /**
     * Sets what members need to sign in: `{"require"}`.
     *
     * @param SignInRuleInput $body
     * @return SignInRule
     */
    public function setSignInRule(array $body): array
    {
        return $this->request('PUT', '/members/sign-in', body: $body)['data'];
    }

    /**
     * Changes the `name` or the `role` of a member, but nobody their own role. With the role, all sessions of the
     * person end.
     *
     * @param AccountMemberChange $body
     * @return Member
     */
    public function changeMember(string $id, array $body): array
    {
        return $this->request('PATCH', '/members/' . self::segment($id), body: $body)['data'];
    }

    /**
     * Lets a member go. All sessions of the person end. `?cascade=true`: with all that comes from the person.
     *
     * @return Cascade|null
     */
    public function removeMember(string $id, ?bool $cascade = null): ?array
    {
        return $this->request('DELETE', '/members/' . self::segment($id), query: ['cascade' => $cascade])['data'] ?? null;
    }

    /**
     * Sends a member who has not joined yet the invitation again.
     *
     * @return Member
     */
    public function inviteMember(string $id): array
    {
        return $this->request('POST', '/members/' . self::segment($id) . '/invitation')['data'];
    }

    /**
     * Makes a link that signs a member in, once: `{"ttlSeconds"?}`.
     *
     * @param LinkInput $body
     * @return ConsoleLink
     */
    public function makeMemberLink(string $id, array $body): array
    {
        return $this->request('POST', '/members/' . self::segment($id) . '/link', body: $body)['data'];
    }

    /**
     * Lists messages, newest first. Filters: `status`, `type`, `from`, `to`, `recipient`, `clientRef`.
     *
     * @param 'SCHEDULED'|'QUEUED'|'SENDING'|'DONE'|'CANCELED'|null $status
     * @param 'PLAIN'|'PATTERN'|'PHONEBOOK'|'BULK'|'VERIFY'|'SIGN_IN'|null $type
     * @return \Generator<int, MessageSummary>
     */
    public function listMessages(
        ?string $status = null,
        ?string $type = null,
        ?string $from = null,
        ?string $to = null,
        ?string $recipient = null,
        ?string $clientRef = null,
    ): \Generator {
        return $this->pages('/messages', query: ['status' => $status, 'type' => $type, 'from' => $from, 'to' => $to, 'recipient' => $recipient, 'clientRef' => $clientRef]);
    }

    /**
     * Returns up to 500 recipients of any messages, by their uids or by your references: `{"recipients"}` or
     * `{"clientRefs"}`.
     *
     * @param RecipientsToFind $body
     * @return FoundRecipients
     */
    public function findRecipients(array $body): array
    {
        return $this->request('POST', '/messages/recipients', body: $body, repeatable: true)['data'];
    }

    /**
     * Returns a message with its counts by status and its first 100 recipients.
     *
     * @return Message
     */
    public function getMessage(string $uid): array
    {
        return $this->request('GET', '/messages/' . self::segment($uid))['data'];
    }

    /**
     * Cancels what has not left of a message, and releases its money.
     *
     * @return CanceledMessage
     */
    public function cancelMessage(string $uid): array
    {
        return $this->request('DELETE', '/messages/' . self::segment($uid))['data'];
    }

    /**
     * Pauses a message: nothing more of it leaves until it is resumed. Its money stays reserved.
     *
     * @return Message
     */
    public function pauseMessage(string $uid): array
    {
        return $this->request('POST', '/messages/' . self::segment($uid) . '/pause')['data'];
    }

    /**
     * Lists the recipients of a message. Filters: `status`, `recipient`, `error`. `request` has them as a file, with
     * `format=csv`.
     *
     * @param 'SCHEDULED'|'QUEUED'|'UNKNOWN'|'SUBMITTED'|'DELIVERED'|'UNDELIVERED'|'EXPIRED'|'REJECTED'|'CANCELED'|'SKIPPED'|null $status
     * @param 'ABSENT_SUBSCRIBER'|'UNKNOWN_SUBSCRIBER'|'BLOCKED'|'CONTENT_REFUSED'|'SENDER_REFUSED'|'EXPIRED'|'NO_REPORT'|'BLACKLISTED'|'NOT_A_DESTINATION'|'TEXT_NOT_SENDABLE'|'RECIPIENT_LIMIT'|'CARRIER_ERROR'|null $error
     * @return \Generator<int, Recipient>
     */
    public function listRecipients(
        string $uid,
        ?string $status = null,
        ?string $recipient = null,
        ?string $error = null,
    ): \Generator {
        return $this->pages('/messages/' . self::segment($uid) . '/recipients', query: ['status' => $status, 'recipient' => $recipient, 'error' => $error]);
    }

    /**
     * Lets a paused message go on. One that is not paused stays as it is.
     *
     * @return Message
     */
    public function resumeMessage(string $uid): array
    {
        return $this->request('POST', '/messages/' . self::segment($uid) . '/resume')['data'];
    }

    /**
     * Lists the patterns, each with its active version and its newest.
     *
     * @return \Generator<int, Pattern>
     */
    public function listPatterns(): \Generator
    {
        return $this->pages('/pattern');
    }

    /**
     * Creates a pattern: `{"slug"?, "title", "lines"?, "text"?, "variables"?}`.
     *
     * @param PatternInput $body
     * @return Pattern
     */
    public function createPattern(array $body): array
    {
        return $this->request('POST', '/pattern', body: $body)['data'];
    }

    /**
     * Returns a pattern with all of its versions.
     *
     * @return Pattern
     */
    public function getPattern(string $slug): array
    {
        return $this->request('GET', '/pattern/' . self::segment($slug))['data'];
    }

    /**
     * Changes the `title` or the `lines` of a pattern.
     *
     * @param PatternChange $body
     * @return Pattern
     */
    public function changePattern(string $slug, array $body): array
    {
        return $this->request('PUT', '/pattern/' . self::segment($slug), body: $body)['data'];
    }

    /** Deletes a pattern without an active version. */
    public function deletePattern(string $slug): void
    {
        $this->request('DELETE', '/pattern/' . self::segment($slug));
    }

    /**
     * Retires the active version of a pattern.
     *
     * @return Pattern
     */
    public function deactivatePattern(string $slug): array
    {
        return $this->request('POST', '/pattern/' . self::segment($slug) . '/deactivate', repeatable: true)['data'];
    }

    /**
     * Adds a version to a pattern: `{"text", "variables"?}`.
     *
     * @param PatternVersionInput $body
     * @return PatternVersion
     */
    public function createPatternVersion(string $slug, array $body): array
    {
        return $this->request('POST', '/pattern/' . self::segment($slug) . '/versions', body: $body)['data'];
    }

    /**
     * Activates a version of a pattern and retires the active one.
     *
     * @return Pattern
     */
    public function activatePatternVersion(string $slug, int $n): array
    {
        return $this->request('POST', '/pattern/' . self::segment($slug) . '/versions/' . self::segment($n) . '/activate', repeatable: true)['data'];
    }

    /**
     * Lists the phonebooks.
     *
     * @return \Generator<int, Phonebook>
     */
    public function listPhonebooks(): \Generator
    {
        return $this->pages('/phonebook');
    }

    /**
     * Creates a phonebook: `{"title", "description"?}`.
     *
     * @param PhonebookInput $body
     * @return Phonebook
     */
    public function createPhonebook(array $body): array
    {
        return $this->request('POST', '/phonebook', body: $body)['data'];
    }

    /**
     * Changes the phonebook whose `id` is in the body.
     *
     * @param PhonebookChangeById $body
     * @return Phonebook
     */
    public function changePhonebookInBody(array $body): array
    {
        return $this->request('PUT', '/phonebook', body: $body)['data'];
    }

    /** Deletes the phonebook whose `id` is in the query. */
    public function deletePhonebookInQuery(string $id): void
    {
        $this->request('DELETE', '/phonebook', query: ['id' => $id]);
    }

    /**
     * Lists the numbers of a phonebook. Filter: `q`, with which the number or the name begins.
     *
     * @return \Generator<int, PhonebookNumber>
     */
    public function listNumbers(string $phonebookId, ?string $q = null): \Generator
    {
        return $this->pages('/phonebook/number/' . self::segment($phonebookId), query: ['q' => $q]);
    }

    /**
     * Adds or updates numbers: `{"number", "name"?, "attributes"?}`, or `{"numbers": [… ≤ 1,000]}`.
     *
     * @param AddNumbers $body
     * @return AddedToPhonebook
     */
    public function addNumbers(string $phonebookId, array $body): array
    {
        return $this->request('POST', '/phonebook/number/' . self::segment($phonebookId), body: $body, repeatable: true)['data'];
    }

    /**
     * Changes a number of a phonebook, its name or its attributes.
     *
     * @param NumberChange $body
     * @return PhonebookNumber
     */
    public function changeNumber(string $phonebookId, int $numberId, array $body): array
    {
        return $this->request('PUT', '/phonebook/number/' . self::segment($phonebookId) . '/' . self::segment($numberId), body: $body)['data'];
    }

    /** Deletes a number of a phonebook. */
    public function deleteNumber(string $phonebookId, int $numberId): void
    {
        $this->request('DELETE', '/phonebook/number/' . self::segment($phonebookId) . '/' . self::segment($numberId));
    }

    /**
     * Returns a phonebook.
     *
     * @return Phonebook
     */
    public function getPhonebook(string $id): array
    {
        return $this->request('GET', '/phonebook/' . self::segment($id))['data'];
    }

    /**
     * Changes the title or the description of a phonebook.
     *
     * @param PhonebookChange $body
     * @return Phonebook
     */
    public function changePhonebook(string $id, array $body): array
    {
        return $this->request('PUT', '/phonebook/' . self::segment($id), body: $body)['data'];
    }

    /** Deletes a phonebook with its numbers. */
    public function deletePhonebook(string $id): void
    {
        $this->request('DELETE', '/phonebook/' . self::segment($id));
    }

    /**
     * Returns the price of one part and the coefficients of each line.
     *
     * @return Tariff
     */
    public function getTariff(): array
    {
        return $this->request('GET', '/plan/tariff')['data'];
    }

    /**
     * Says what a send would cost. `faults` lists the refusals that depend on the account (1003, 3011, 3016, 3018,
     * 2002, 2001).
     *
     * @param EstimateRequest $body
     * @return Estimate
     */
    public function estimate(array $body): array
    {
        return $this->request('POST', '/sms/estimate', body: $body, repeatable: true)['data'];
    }

    /**
     * Finds the pending verifications of a number, newest first: `recipient`, `purpose`.
     *
     * @return PendingVerifications
     */
    public function findVerifications(string $recipient, ?string $purpose = null): array
    {
        return $this->request('GET', '/verify', query: ['recipient' => $recipient, 'purpose' => $purpose])['data'];
    }

    /**
     * Makes a code and sends it to a number, or sends the pending code again.
     *
     * @param VerificationInput $body
     * @return Verification
     */
    public function startVerification(array $body): array
    {
        return $this->request('POST', '/verify', body: $body)['data'];
    }

    /**
     * Checks a code that a person has typed.
     *
     * @param CheckVerification $body
     * @return VerificationCheck
     */
    public function checkVerification(array $body): array
    {
        return $this->request('POST', '/verify/check', body: $body)['data'];
    }

    /**
     * Tells how verifications have ended, by day, first digits of numbers, line or carrier.
     *
     * @param 'day'|'prefix'|'line'|'carrier'|null $by
     * @return VerifyStats
     */
    public function getVerifyStats(?string $from = null, ?string $to = null, ?string $by = null): array
    {
        return $this->request('GET', '/verify/stats', query: ['from' => $from, 'to' => $to, 'by' => $by])['data'];
    }

    /**
     * Returns a verification.
     *
     * @return Verification
     */
    public function getVerification(string $id): array
    {
        return $this->request('GET', '/verify/' . self::segment($id))['data'];
    }

    /**
     * Takes a verification back. What has not left of its messages is canceled.
     *
     * @return Verification
     */
    public function cancelVerification(string $id): array
    {
        return $this->request('DELETE', '/verify/' . self::segment($id))['data'];
    }

    /**
     * Lists the endpoints, newest first.
     *
     * @return \Generator<int, Endpoint>
     */
    public function listWebhooks(): \Generator
    {
        return $this->pages('/webhook');
    }

    /**
     * Creates an endpoint for events: `{"url", "events", "lowBalance"?, "description"?}`. Shows its secret once.
     *
     * @param EndpointInput $body
     * @return EndpointWithSecret
     */
    public function createWebhook(array $body): array
    {
        return $this->request('POST', '/webhook', body: $body)['data'];
    }

    /**
     * Returns an endpoint.
     *
     * @return Endpoint
     */
    public function getWebhook(string $id): array
    {
        return $this->request('GET', '/webhook/' . self::segment($id))['data'];
    }

    /**
     * Changes `url`, `events`, `lowBalance`, `description` or `active` of an endpoint.
     *
     * @param EndpointChange $body
     * @return Endpoint
     */
    public function changeWebhook(string $id, array $body): array
    {
        return $this->request('PUT', '/webhook/' . self::segment($id), body: $body)['data'];
    }

    /** Deletes an endpoint with its log. */
    public function deleteWebhook(string $id): void
    {
        $this->request('DELETE', '/webhook/' . self::segment($id));
    }

    /**
     * Lists what was sent to an endpoint in the last 30 days, newest first.
     *
     * @return \Generator<int, Delivery>
     */
    public function listDeliveries(string $id): \Generator
    {
        return $this->pages('/webhook/' . self::segment($id) . '/deliveries');
    }

    /**
     * Returns what was sent to an endpoint, with the body of the request.
     *
     * @return DeliveryWithRequest
     */
    public function getDelivery(string $id, string $deliveryId): array
    {
        return $this->request('GET', '/webhook/' . self::segment($id) . '/deliveries/' . self::segment($deliveryId))['data'];
    }

    /**
     * Sends an event to an endpoint again, with the same id.
     *
     * @return Delivery
     */
    public function redeliverEvent(string $id, string $deliveryId): array
    {
        return $this->request('POST', '/webhook/' . self::segment($id) . '/deliveries/' . self::segment($deliveryId) . '/redeliver')['data'];
    }

    /**
     * Gives an endpoint a new secret and shows it once. The old one signs too for a day.
     *
     * @return EndpointWithSecret
     */
    public function rotateWebhookSecret(string $id): array
    {
        return $this->request('POST', '/webhook/' . self::segment($id) . '/rotate')['data'];
    }

    /**
     * Sends an event of type `webhook.test` to an endpoint.
     *
     * @return Delivery
     */
    public function testWebhook(string $id): array
    {
        return $this->request('POST', '/webhook/' . self::segment($id) . '/test')['data'];
    }
}
