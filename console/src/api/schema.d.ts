// Made by `npm run clients` from openapi.json.

export interface paths {
    "/": {
        parameters: {
        };
        get: operations["getHome"];
    };
    "/.well-known/jwks.json": {
        parameters: {
        };
        get: operations["getProofKeys"];
    };
    "/account/info": {
        parameters: {
        };
        get: operations["getAccountInfo"];
        patch: operations["changeAccountInfo"];
    };
    "/account/low-balance": {
        parameters: {
        };
        get: operations["getLowBalance"];
        put: operations["setLowBalance"];
    };
    "/account/outcomes": {
        parameters: {
        };
        get: operations["getOutcomes"];
    };
    "/account/transactions": {
        parameters: {
        };
        get: operations["listTransactions"];
    };
    "/account/unsent": {
        parameters: {
        };
        get: operations["getUnsent"];
    };
    "/account/usage": {
        parameters: {
        };
        get: operations["listUsage"];
    };
    "/admin/accounts": {
        parameters: {
        };
        get: operations["adminListAccounts"];
        post: operations["adminCreateAccount"];
    };
    "/admin/accounts/{id}": {
        parameters: {
        };
        get: operations["adminGetAccount"];
        delete: operations["adminCloseAccount"];
        patch: operations["adminChangeAccount"];
    };
    "/admin/accounts/{id}/cancel": {
        parameters: {
        };
        post: operations["adminCancelAll"];
    };
    "/admin/accounts/{id}/console-link": {
        parameters: {
        };
        post: operations["adminLookAtAccount"];
    };
    "/admin/accounts/{id}/credit": {
        parameters: {
        };
        post: operations["adminAddCredit"];
    };
    "/admin/accounts/{id}/keys": {
        parameters: {
        };
        get: operations["adminListKeys"];
        post: operations["adminIssueKey"];
    };
    "/admin/accounts/{id}/keys/{key}": {
        parameters: {
        };
        delete: operations["adminRevokeKey"];
    };
    "/admin/accounts/{id}/keys/{key}/rotate": {
        parameters: {
        };
        post: operations["adminRotateKey"];
    };
    "/admin/accounts/{id}/low-balance": {
        parameters: {
        };
        get: operations["adminGetLowBalance"];
        put: operations["adminSetLowBalance"];
    };
    "/admin/accounts/{id}/members": {
        parameters: {
        };
        get: operations["adminListAccountMembers"];
        post: operations["adminAddAccountMember"];
    };
    "/admin/accounts/{id}/members/{member}": {
        parameters: {
        };
        delete: operations["adminRemoveAccountMember"];
    };
    "/admin/accounts/{id}/members/{member}/invitation": {
        parameters: {
        };
        post: operations["adminInviteAccountMember"];
    };
    "/admin/accounts/{id}/messages": {
        parameters: {
        };
        get: operations["adminListMessages"];
    };
    "/admin/accounts/{id}/messages/{uid}": {
        parameters: {
        };
        get: operations["adminGetMessage"];
    };
    "/admin/accounts/{id}/messages/{uid}/recipients": {
        parameters: {
        };
        get: operations["adminListRecipients"];
    };
    "/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate": {
        parameters: {
        };
        post: operations["adminApprovePattern"];
    };
    "/admin/accounts/{id}/patterns/{slug}/versions/{n}/refuse": {
        parameters: {
        };
        post: operations["adminRefusePattern"];
    };
    "/admin/accounts/{id}/restore": {
        parameters: {
        };
        post: operations["adminRestoreAccount"];
    };
    "/admin/accounts/{id}/sandbox": {
        parameters: {
        };
        get: operations["adminListSandbox"];
    };
    "/admin/accounts/{id}/transactions": {
        parameters: {
        };
        get: operations["adminListTransactions"];
    };
    "/admin/accounts/{id}/unsent": {
        parameters: {
        };
        get: operations["adminGetUnsent"];
    };
    "/admin/accounts/{id}/webhooks": {
        parameters: {
        };
        get: operations["adminListWebhooks"];
    };
    "/admin/accounts/{id}/webhooks/{webhook}/deliveries": {
        parameters: {
        };
        get: operations["adminListDeliveries"];
    };
    "/admin/audit": {
        parameters: {
        };
        get: operations["adminListAudit"];
    };
    "/admin/audit/feed": {
        parameters: {
        };
        get: operations["adminReadAuditFeed"];
    };
    "/admin/carriers": {
        parameters: {
        };
        get: operations["adminListCarriers"];
        post: operations["adminCreateCarrier"];
    };
    "/admin/carriers/{name}": {
        parameters: {
        };
        get: operations["adminGetCarrier"];
        delete: operations["adminDeleteCarrier"];
        patch: operations["adminChangeCarrier"];
    };
    "/admin/carriers/{name}/rotate-callback": {
        parameters: {
        };
        post: operations["adminRotateCallback"];
    };
    "/admin/credits": {
        parameters: {
        };
        get: operations["adminListCredits"];
    };
    "/admin/credits/{id}/approve": {
        parameters: {
        };
        post: operations["adminApproveCredit"];
    };
    "/admin/credits/{id}/reject": {
        parameters: {
        };
        post: operations["adminRejectCredit"];
    };
    "/admin/dead-letters": {
        parameters: {
        };
        get: operations["adminListDeadLetters"];
    };
    "/admin/dead-letters/{id}/retry": {
        parameters: {
        };
        post: operations["adminRetryDeadLetter"];
    };
    "/admin/erasures": {
        parameters: {
        };
        get: operations["adminListErasures"];
        post: operations["adminStartErasure"];
    };
    "/admin/erasures/{id}": {
        parameters: {
        };
        get: operations["adminGetErasure"];
    };
    "/admin/health": {
        parameters: {
        };
        get: operations["adminGetHealth"];
    };
    "/admin/inbound/unclaimed": {
        parameters: {
        };
        get: operations["adminListUnclaimed"];
    };
    "/admin/keys": {
        parameters: {
        };
        get: operations["adminListOperatorKeys"];
        post: operations["adminIssueOperatorKey"];
    };
    "/admin/keys/find": {
        parameters: {
        };
        post: operations["adminFindKey"];
    };
    "/admin/keys/{key}": {
        parameters: {
        };
        delete: operations["adminRevokeOperatorKey"];
    };
    "/admin/keys/{key}/rotate": {
        parameters: {
        };
        post: operations["adminRotateOperatorKey"];
    };
    "/admin/lines": {
        parameters: {
        };
        get: operations["adminListLines"];
        post: operations["adminCreateLine"];
    };
    "/admin/lines/{number}": {
        parameters: {
        };
        get: operations["adminGetLine"];
        delete: operations["adminDeleteLine"];
        patch: operations["adminChangeLine"];
    };
    "/admin/lines/{number}/inbound": {
        parameters: {
        };
        get: operations["adminGetLineInbound"];
        put: operations["adminSetLineInbound"];
    };
    "/admin/members": {
        parameters: {
        };
        get: operations["adminListMembers"];
        post: operations["adminAddMember"];
    };
    "/admin/members/{id}": {
        parameters: {
        };
        delete: operations["adminRemoveMember"];
        patch: operations["adminChangeMember"];
    };
    "/admin/members/{id}/link": {
        parameters: {
        };
        post: operations["adminMakeMemberLink"];
    };
    "/admin/patterns": {
        parameters: {
        };
        get: operations["adminListPendingPatterns"];
    };
    "/admin/plans": {
        parameters: {
        };
        get: operations["adminListPlans"];
        post: operations["adminCreatePlan"];
    };
    "/admin/plans/{slug}": {
        parameters: {
        };
        patch: operations["adminChangePlan"];
    };
    "/admin/reconciliation": {
        parameters: {
        };
        get: operations["adminReconcile"];
    };
    "/admin/sending": {
        parameters: {
        };
        get: operations["adminGetSending"];
        put: operations["adminSwitchSending"];
    };
    "/admin/transfer": {
        parameters: {
        };
        get: operations["adminGetTransfer"];
        put: operations["adminSetTransfer"];
    };
    "/admin/transfer/insert": {
        parameters: {
        };
        post: operations["adminInsertRows"];
    };
    "/admin/transfer/objects": {
        parameters: {
        };
        post: operations["adminChangeObjects"];
    };
    "/admin/transfer/rows": {
        parameters: {
        };
        post: operations["adminReadRows"];
    };
    "/admin/usage": {
        parameters: {
        };
        get: operations["adminGetUsage"];
    };
    "/blacklist": {
        parameters: {
        };
        get: operations["listBlacklist"];
        post: operations["addToBlacklist"];
        delete: operations["removeFromBlacklist"];
    };
    "/campaigns": {
        parameters: {
        };
        get: operations["listCampaigns"];
        post: operations["createCampaign"];
    };
    "/campaigns/{id}": {
        parameters: {
        };
        get: operations["getCampaign"];
        delete: operations["deleteCampaign"];
        patch: operations["changeCampaign"];
    };
    "/campaigns/{id}/cancel": {
        parameters: {
        };
        post: operations["cancelCampaign"];
    };
    "/campaigns/{id}/pause": {
        parameters: {
        };
        post: operations["pauseCampaign"];
    };
    "/campaigns/{id}/recipients": {
        parameters: {
        };
        get: operations["listCampaignRecipients"];
    };
    "/campaigns/{id}/resend": {
        parameters: {
        };
        post: operations["resendCampaign"];
    };
    "/campaigns/{id}/resume": {
        parameters: {
        };
        post: operations["resumeCampaign"];
    };
    "/campaigns/{id}/start": {
        parameters: {
        };
        post: operations["startCampaign"];
    };
    "/carrier/{name}/dlr": {
        parameters: {
        };
        get: operations["getDeliveryReport"];
        post: operations["postDeliveryReport"];
    };
    "/carrier/{name}/inbound": {
        parameters: {
        };
        get: operations["getInboundMessage"];
        post: operations["postInboundMessage"];
    };
    "/console/link": {
        parameters: {
        };
        post: operations["makeConsoleLink"];
    };
    "/console/passkeys": {
        parameters: {
        };
        get: operations["listPasskeys"];
        post: operations["addPasskey"];
    };
    "/console/passkeys/challenge": {
        parameters: {
        };
        post: operations["startPasskey"];
    };
    "/console/passkeys/{id}": {
        parameters: {
        };
        delete: operations["removePasskey"];
        patch: operations["renamePasskey"];
    };
    "/console/session": {
        parameters: {
        };
        get: operations["getConsoleSession"];
        post: operations["openConsoleSession"];
        delete: operations["endConsoleSession"];
    };
    "/console/session/switch": {
        parameters: {
        };
        post: operations["switchConsoleAccount"];
    };
    "/console/sign-in": {
        parameters: {
        };
        post: operations["startSignIn"];
    };
    "/console/sign-in/check": {
        parameters: {
        };
        post: operations["checkSignIn"];
    };
    "/console/sign-in/link": {
        parameters: {
        };
        post: operations["useConsoleLink"];
    };
    "/console/sign-in/passkey": {
        parameters: {
        };
        post: operations["signInByPasskey"];
    };
    "/erasures": {
        parameters: {
        };
        get: operations["listErasures"];
        post: operations["startErasure"];
    };
    "/erasures/{id}": {
        parameters: {
        };
        get: operations["getErasure"];
    };
    "/health": {
        parameters: {
        };
        get: operations["getHealth"];
    };
    "/held": {
        parameters: {
        };
        get: operations["getHeld"];
    };
    "/inbound": {
        parameters: {
        };
        get: operations["listInbound"];
    };
    "/inbound/take": {
        parameters: {
        };
        post: operations["takeInbound"];
    };
    "/keys": {
        parameters: {
        };
        get: operations["listKeys"];
        post: operations["issueKey"];
    };
    "/keys/{id}": {
        parameters: {
        };
        delete: operations["revokeKey"];
    };
    "/keys/{id}/rotate": {
        parameters: {
        };
        post: operations["rotateKey"];
    };
    "/lines": {
        parameters: {
        };
        get: operations["listLines"];
    };
    "/members": {
        parameters: {
        };
        get: operations["listMembers"];
        post: operations["addMember"];
    };
    "/members/sign-in": {
        parameters: {
        };
        get: operations["getSignInRule"];
        put: operations["setSignInRule"];
    };
    "/members/{id}": {
        parameters: {
        };
        delete: operations["removeMember"];
        patch: operations["changeMember"];
    };
    "/members/{id}/invitation": {
        parameters: {
        };
        post: operations["inviteMember"];
    };
    "/members/{id}/link": {
        parameters: {
        };
        post: operations["makeMemberLink"];
    };
    "/messages": {
        parameters: {
        };
        get: operations["listMessages"];
    };
    "/messages/recipients": {
        parameters: {
        };
        post: operations["findRecipients"];
    };
    "/messages/{uid}": {
        parameters: {
        };
        get: operations["getMessage"];
        delete: operations["cancelMessage"];
    };
    "/messages/{uid}/pause": {
        parameters: {
        };
        post: operations["pauseMessage"];
    };
    "/messages/{uid}/recipients": {
        parameters: {
        };
        get: operations["listRecipients"];
    };
    "/messages/{uid}/resume": {
        parameters: {
        };
        post: operations["resumeMessage"];
    };
    "/metrics": {
        parameters: {
        };
        get: operations["getMetrics"];
    };
    "/pattern": {
        parameters: {
        };
        get: operations["listPatterns"];
        post: operations["createPattern"];
    };
    "/pattern/{slug}": {
        parameters: {
        };
        get: operations["getPattern"];
        put: operations["changePattern"];
        delete: operations["deletePattern"];
    };
    "/pattern/{slug}/deactivate": {
        parameters: {
        };
        post: operations["deactivatePattern"];
    };
    "/pattern/{slug}/versions": {
        parameters: {
        };
        post: operations["createPatternVersion"];
    };
    "/pattern/{slug}/versions/{n}/activate": {
        parameters: {
        };
        post: operations["activatePatternVersion"];
    };
    "/phonebook": {
        parameters: {
        };
        get: operations["listPhonebooks"];
        put: operations["changePhonebookInBody"];
        post: operations["createPhonebook"];
        delete: operations["deletePhonebookInQuery"];
    };
    "/phonebook/number/{phonebookId}": {
        parameters: {
        };
        get: operations["listNumbers"];
        post: operations["addNumbers"];
    };
    "/phonebook/number/{phonebookId}/{numberId}": {
        parameters: {
        };
        put: operations["changeNumber"];
        delete: operations["deleteNumber"];
    };
    "/phonebook/{id}": {
        parameters: {
        };
        get: operations["getPhonebook"];
        put: operations["changePhonebook"];
        delete: operations["deletePhonebook"];
    };
    "/phonebook/{id}/export": {
        parameters: {
        };
        get: operations["exportNumbers"];
    };
    "/phonebook/{id}/import": {
        parameters: {
        };
        post: operations["importNumbers"];
    };
    "/plan/tariff": {
        parameters: {
        };
        get: operations["getTariff"];
    };
    "/sms/bulk": {
        parameters: {
        };
        post: operations["sendBulk"];
    };
    "/sms/estimate": {
        parameters: {
        };
        post: operations["estimateSend"];
    };
    "/sms/pattern": {
        parameters: {
        };
        post: operations["sendPattern"];
    };
    "/sms/phonebook/send": {
        parameters: {
        };
        post: operations["sendToPhonebook"];
    };
    "/sms/send": {
        parameters: {
        };
        post: operations["sendSms"];
    };
    "/verify": {
        parameters: {
        };
        get: operations["findVerifications"];
        post: operations["startVerification"];
    };
    "/verify/check": {
        parameters: {
        };
        post: operations["checkVerification"];
    };
    "/verify/stats": {
        parameters: {
        };
        get: operations["getVerifyStats"];
    };
    "/verify/{id}": {
        parameters: {
        };
        get: operations["getVerification"];
        delete: operations["cancelVerification"];
    };
    "/webhook": {
        parameters: {
        };
        get: operations["listWebhooks"];
        post: operations["createWebhook"];
    };
    "/webhook/{id}": {
        parameters: {
        };
        get: operations["getWebhook"];
        put: operations["changeWebhook"];
        delete: operations["deleteWebhook"];
    };
    "/webhook/{id}/deliveries": {
        parameters: {
        };
        get: operations["listDeliveries"];
    };
    "/webhook/{id}/deliveries/{deliveryId}": {
        parameters: {
        };
        get: operations["getDelivery"];
    };
    "/webhook/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
        };
        post: operations["redeliverEvent"];
    };
    "/webhook/{id}/rotate": {
        parameters: {
        };
        post: operations["rotateWebhookSecret"];
    };
    "/webhook/{id}/test": {
        parameters: {
        };
        post: operations["testWebhook"];
    };
}
export interface webhooks {
    "campaign.done": {
        parameters: {
        };
        post: operations["onCampaignDoneEvent"];
    };
    "campaign.paused": {
        parameters: {
        };
        post: operations["onCampaignPausedEvent"];
    };
    "campaign.stopped": {
        parameters: {
        };
        post: operations["onCampaignStoppedEvent"];
    };
    "message.received": {
        parameters: {
        };
        post: operations["onMessageReceivedEvent"];
    };
    "message.status": {
        parameters: {
        };
        post: operations["onMessageStatusEvent"];
    };
    "message.submitted": {
        parameters: {
        };
        post: operations["onMessageSubmittedEvent"];
    };
    "pattern.reviewed": {
        parameters: {
        };
        post: operations["onPatternReviewedEvent"];
    };
    "verify.paused": {
        parameters: {
        };
        post: operations["onVerifyPausedEvent"];
    };
    "verify.status": {
        parameters: {
        };
        post: operations["onVerifyStatusEvent"];
    };
    "wallet.low": {
        parameters: {
        };
        post: operations["onWalletLowEvent"];
    };
    "webhook.disabled": {
        parameters: {
        };
        post: operations["onWebhookDisabledEvent"];
    };
    "webhook.test": {
        parameters: {
        };
        post: operations["onWebhookTestEvent"];
    };
}
export interface components {
    schemas: {
        Account: {
            closedAt: components["schemas"]["Time"] | null;
            createdAt: components["schemas"]["Time"];
            /** Format: int64 */
            dailySpend: number | null;
            defaultLine: string | null;
            destinations: string[];
            fullName: string;
            hold: boolean;
            /** Format: uuid */
            id: string;
            plan: {
                slug: string;
                title: string;
            };
            rateLimit: components["schemas"]["RateLimit"];
            reason: string | null;
            recipientLimit: components["schemas"]["RecipientLimitInput"];
            sendingEnabled: boolean;
            /** Format: int64 */
            spentToday: number;
            status: components["schemas"]["AccountStatus"];
            storage: {
                bytes: number;
                maxBytes: number;
            };
            testRateLimit: components["schemas"]["RateLimit"];
            username: string;
            wallet: components["schemas"]["Wallet"];
        };
        AccountChange: {
            dailySpend?: number | null;
            defaultLine?: string | null;
            destinations?: string[] | null;
            fullName?: string | null;
            hold?: boolean | null;
            plan?: string | null;
            rateLimit?: components["schemas"]["RateLimit"] | null;
            reason?: string | null;
            recipientLimit?: components["schemas"]["RecipientLimitInput"] | null;
            sendingEnabled?: boolean | null;
            /** @enum {string|null} */
            status?: "ACTIVE" | "INACTIVE" | null;
            testRateLimit?: components["schemas"]["RateLimit"] | null;
        };
        AccountChoice: {
            account: string;
        };
        AccountInfo: {
            accountInfo: {
                fullName: string;
                /** Format: uuid */
                id: string;
                plan: {
                    title: string;
                };
                status: components["schemas"]["AccountStatus"];
                timeZone: string;
                username: string;
            };
            wallet: components["schemas"]["Wallet"];
        };
        AccountInput: {
            fullName: string;
            plan?: string | null;
            username: string;
        };
        AccountMemberChange: {
            name?: string | null;
            /** @enum {string|null} */
            role?: "OWNER" | "SENDER" | "FINANCE" | "VIEWER" | null;
        };
        AccountMemberInput: {
            invite?: boolean | null;
            name: string;
            phone: components["schemas"]["WrittenPhoneNumber"];
            /** @enum {string} */
            role: "OWNER" | "SENDER" | "FINANCE" | "VIEWER";
        };
        /** @enum {string} */
        AccountScope: "sms:send" | "sms:read" | "phonebook" | "pattern" | "verify" | "blacklist" | "erasure" | "account:read" | "webhook" | "keys";
        AccountSettings: {
            timeZone: string;
        };
        AccountSettingsInput: {
            timeZone?: string | null;
        };
        /** @enum {string} */
        AccountStatus: "ACTIVE" | "INACTIVE";
        AccountSummary: {
            closedAt: components["schemas"]["Time"] | null;
            createdAt: components["schemas"]["Time"];
            defaultLine: string | null;
            fullName: string;
            /** Format: uuid */
            id: string;
            plan: {
                slug: string;
                title: string;
            };
            sendingEnabled: boolean;
            status: components["schemas"]["AccountStatus"];
            username: string;
            wallet: components["schemas"]["Wallet"];
        };
        AddNumbers: components["schemas"]["OneNumber"] | components["schemas"]["ManyNumbers"];
        AddedNumbers: {
            added: number;
            unchanged: number;
        };
        AddedToPhonebook: {
            added: number;
            invalid: {
                detail: string;
                index: number;
                value: string | null;
            }[];
            numbers: components["schemas"]["Number"][];
            updated: number;
        };
        Alternative: {
            changes: ("MARKS" | "COMPOSED" | "LETTERS" | "BLANKS" | "LOOK_ALIKES" | "DIGITS" | "NO_BREAK_SPACE")[];
            /** Format: int64 */
            cost: number;
            /** @enum {string} */
            encoding: "GSM7" | "UCS2";
            parts: number;
            text: string;
        };
        AnyLineChange: components["schemas"]["LineChange"] | components["schemas"]["LineChangeWithRoutes"];
        AuditEntry: {
            actor: {
                account: string;
                key: string;
                username: string | null;
            };
            address: string | null;
            after: Record<string, never> | null;
            at: components["schemas"]["Time"];
            before: Record<string, never> | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            operation: "GetHome" | "GetHealth" | "GetProofKeys" | "GetDeliveryReport" | "PostDeliveryReport" | "GetInboundMessage" | "PostInboundMessage" | "SendSms" | "SendPattern" | "SendToPhonebook" | "SendBulk" | "EstimateSend" | "StartVerification" | "FindVerifications" | "CheckVerification" | "GetVerifyStats" | "GetVerification" | "CancelVerification" | "ListMessages" | "GetMessage" | "CancelMessage" | "PauseMessage" | "ResumeMessage" | "FindRecipients" | "ListRecipients" | "ListInbound" | "TakeInbound" | "CreateCampaign" | "ListCampaigns" | "GetCampaign" | "ListCampaignRecipients" | "ChangeCampaign" | "DeleteCampaign" | "StartCampaign" | "PauseCampaign" | "ResumeCampaign" | "CancelCampaign" | "ResendCampaign" | "CreatePhonebook" | "ListPhonebooks" | "GetPhonebook" | "ChangePhonebook" | "DeletePhonebook" | "ImportNumbers" | "ExportNumbers" | "AddNumbers" | "ListNumbers" | "ChangeNumber" | "DeleteNumber" | "ChangePhonebookInBody" | "DeletePhonebookInQuery" | "CreatePattern" | "ListPatterns" | "GetPattern" | "ChangePattern" | "DeletePattern" | "CreatePatternVersion" | "ActivatePatternVersion" | "DeactivatePattern" | "ListBlacklist" | "AddToBlacklist" | "RemoveFromBlacklist" | "GetHeld" | "StartErasure" | "ListErasures" | "GetErasure" | "GetAccountInfo" | "ChangeAccountInfo" | "ListTransactions" | "ListUsage" | "GetOutcomes" | "GetUnsent" | "GetLowBalance" | "SetLowBalance" | "GetTariff" | "ListLines" | "IssueKey" | "ListKeys" | "RevokeKey" | "RotateKey" | "CreateWebhook" | "ListWebhooks" | "GetWebhook" | "ChangeWebhook" | "DeleteWebhook" | "RotateWebhookSecret" | "TestWebhook" | "ListDeliveries" | "GetDelivery" | "RedeliverEvent" | "OpenConsoleSession" | "GetConsoleSession" | "EndConsoleSession" | "SwitchConsoleAccount" | "StartSignIn" | "CheckSignIn" | "UseConsoleLink" | "StartPasskey" | "SignInByPasskey" | "ListPasskeys" | "AddPasskey" | "RenamePasskey" | "RemovePasskey" | "MakeConsoleLink" | "AddMember" | "ListMembers" | "ChangeMember" | "MakeMemberLink" | "InviteMember" | "GetSignInRule" | "SetSignInRule" | "RemoveMember" | "AdminCreateAccount" | "AdminListAccounts" | "AdminGetAccount" | "AdminChangeAccount" | "AdminCloseAccount" | "AdminGetUnsent" | "AdminCancelAll" | "AdminStartErasure" | "AdminListErasures" | "AdminGetErasure" | "AdminAddCredit" | "AdminListCredits" | "AdminApproveCredit" | "AdminRejectCredit" | "AdminRestoreAccount" | "AdminGetLowBalance" | "AdminSetLowBalance" | "AdminIssueKey" | "AdminListKeys" | "AdminRevokeKey" | "AdminRotateKey" | "AdminIssueOperatorKey" | "AdminListOperatorKeys" | "AdminAddMember" | "AdminListMembers" | "AdminChangeMember" | "AdminMakeMemberLink" | "AdminRemoveMember" | "AdminAddAccountMember" | "AdminListAccountMembers" | "AdminInviteAccountMember" | "AdminRemoveAccountMember" | "AdminLookAtAccount" | "AdminFindKey" | "AdminRevokeOperatorKey" | "AdminRotateOperatorKey" | "AdminListSandbox" | "AdminListMessages" | "AdminGetMessage" | "AdminListTransactions" | "AdminListWebhooks" | "AdminListDeliveries" | "AdminListRecipients" | "AdminListPendingPatterns" | "AdminApprovePattern" | "AdminRefusePattern" | "AdminCreateCarrier" | "AdminListCarriers" | "AdminGetCarrier" | "AdminChangeCarrier" | "AdminRotateCallback" | "AdminDeleteCarrier" | "AdminCreateLine" | "AdminListLines" | "AdminGetLine" | "AdminChangeLine" | "AdminDeleteLine" | "AdminGetLineInbound" | "AdminSetLineInbound" | "AdminListUnclaimed" | "AdminCreatePlan" | "AdminListPlans" | "AdminChangePlan" | "AdminGetSending" | "AdminSwitchSending" | "AdminGetUsage" | "AdminGetHealth" | "GetMetrics" | "AdminGetTransfer" | "AdminSetTransfer" | "AdminChangeObjects" | "AdminReadRows" | "AdminInsertRows" | "AdminReconcile" | "AdminListAudit" | "AdminReadAuditFeed" | "AdminListDeadLetters" | "AdminRetryDeadLetter";
            requestId: string;
            thing: {
                account: string | null;
                id: string | null;
                /** @enum {string} */
                kind: "account" | "blacklist" | "campaign" | "carrier" | "credit" | "deadLetter" | "erasure" | "frozen" | "inbound" | "key" | "line" | "lineInbound" | "member" | "message" | "passkey" | "pattern" | "phonebook" | "plan" | "restore" | "sending" | "transfer" | "webhook";
                username: string | null;
            };
        };
        BlockedNumber: {
            createdAt: components["schemas"]["Time"];
            number: components["schemas"]["PhoneNumber"];
            optOut: boolean;
        };
        BulkItem: components["schemas"]["BulkText"] | components["schemas"]["BulkPattern"];
        BulkPattern: {
            /** @enum {unknown} */
            message?: null;
            pattern: string;
            recipient: components["schemas"]["WrittenPhoneNumber"];
            variables?: {
                [key: string]: string | number | null;
            } | unknown[] | null;
        };
        BulkText: {
            message: string;
            /** @enum {unknown} */
            pattern?: null;
            recipient: components["schemas"]["WrittenPhoneNumber"];
        };
        Campaign: {
            /** Format: int64 */
            budget: number | null;
            counted: {
                /** Format: int64 */
                cost: number;
                operators: {
                    /** Format: int64 */
                    cost: number;
                    operator: string;
                    people: number;
                }[];
                parts: number;
                people: number;
                skipped: {
                    [key: string]: number;
                };
            };
            createdAt: components["schemas"]["Time"];
            endedAt: components["schemas"]["Time"] | null;
            guard: components["schemas"]["CampaignGuard"] | null;
            /** Format: uuid */
            id: string;
            nextAt: components["schemas"]["Time"] | null;
            perMinute: number | null;
            progress: {
                canceled: number;
                /** Format: int64 */
                cost: number;
                delivered: number;
                failed: number;
                failures?: {
                    count: number;
                    error: components["schemas"]["DeliveryError"];
                    operator: string;
                }[];
                open: number;
                optOuts: number;
                queued: number;
                recipients: number;
                /** Format: int64 */
                returned: number;
                skipped: number;
                waves: number;
            };
            reason: components["schemas"]["CampaignReason"] | null;
            /** Format: uuid */
            resendOf: string | null;
            /** Format: uuid */
            resentAs: string | null;
            sendAt: components["schemas"]["Time"] | null;
            /** @enum {boolean} */
            simulated?: true;
            sourceNumber: string | null;
            startedAt: components["schemas"]["Time"] | null;
            state: components["schemas"]["CampaignState"];
            test: boolean;
            title: string;
            unit: string;
            window: components["schemas"]["Hours"] | null;
        };
        CampaignChange: components["schemas"]["TextCampaignChange"] | components["schemas"]["PatternCampaignChange"];
        CampaignDetail: {
            /** Format: int64 */
            budget: number | null;
            counted: {
                /** Format: int64 */
                cost: number;
                operators: {
                    /** Format: int64 */
                    cost: number;
                    operator: string;
                    people: number;
                }[];
                parts: number;
                people: number;
                skipped: {
                    [key: string]: number;
                };
            };
            createdAt: components["schemas"]["Time"];
            endedAt: components["schemas"]["Time"] | null;
            exclude: {
                numbers: string[];
                phonebooks: string[];
            };
            guard: components["schemas"]["CampaignGuard"] | null;
            /** Format: uuid */
            id: string;
            message: string | null;
            nextAt: components["schemas"]["Time"] | null;
            pattern: string | null;
            perMinute: number | null;
            phonebooks: string[];
            progress: {
                canceled: number;
                /** Format: int64 */
                cost: number;
                delivered: number;
                failed: number;
                failures?: {
                    count: number;
                    error: components["schemas"]["DeliveryError"];
                    operator: string;
                }[];
                open: number;
                optOuts: number;
                queued: number;
                recipients: number;
                /** Format: int64 */
                returned: number;
                skipped: number;
                waves: number;
            };
            reason: components["schemas"]["CampaignReason"] | null;
            /** Format: uuid */
            resendOf: string | null;
            /** Format: uuid */
            resentAs: string | null;
            sendAt: components["schemas"]["Time"] | null;
            /** @enum {boolean} */
            simulated?: true;
            sourceNumber: string | null;
            startedAt: components["schemas"]["Time"] | null;
            state: components["schemas"]["CampaignState"];
            test: boolean;
            title: string;
            unit: string;
            variables?: {
                [key: string]: string;
            };
            where: components["schemas"]["Condition"] | null;
            window: components["schemas"]["Hours"] | null;
        };
        CampaignDoneEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                /** Format: uuid */
                id: string;
                reason: components["schemas"]["CampaignReason"] | null;
                state: components["schemas"]["CampaignState"];
                test: boolean;
                title: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.done";
        };
        CampaignGuard: {
            after: number;
            failedShare: number | null;
            optOutShare: number | null;
        };
        CampaignInput: components["schemas"]["TextCampaign"] | components["schemas"]["PatternCampaign"];
        CampaignPausedEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                /** Format: uuid */
                id: string;
                reason: components["schemas"]["CampaignReason"] | null;
                state: components["schemas"]["CampaignState"];
                test: boolean;
                title: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.paused";
        };
        /** @enum {string} */
        CampaignReason: "LOW_BALANCE" | "NO_LINE" | "SENDING_OFF" | "NO_PHONEBOOK" | "NOT_SENDABLE" | "BY_OPERATOR" | "BUDGET" | "DAILY_LIMIT" | "RESTORED" | "FAILED_SHARE" | "OPT_OUT_SHARE";
        /** @enum {string} */
        CampaignState: "COUNTING" | "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "STOPPED" | "DONE" | "CANCELED";
        CampaignStoppedEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                /** Format: uuid */
                id: string;
                reason: components["schemas"]["CampaignReason"] | null;
                state: components["schemas"]["CampaignState"];
                test: boolean;
                title: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign.stopped";
        };
        CanceledAll: {
            canceled: number;
            complete: boolean;
            withCarriers: number;
        };
        CanceledMessage: {
            /** Format: uuid */
            campaign?: string;
            canceled: number;
            clientRef: string | null;
            /** Format: int64 */
            cost: number;
            counts: {
                CANCELED?: number;
                DELIVERED?: number;
                EXPIRED?: number;
                QUEUED?: number;
                REJECTED?: number;
                SCHEDULED?: number;
                SKIPPED?: number;
                SUBMITTED?: number;
                UNDELIVERED?: number;
                UNKNOWN?: number;
            };
            createdAt: components["schemas"]["Time"];
            delivered: number;
            /** @enum {string} */
            encoding: "GSM7" | "UCS2";
            failed: number;
            left: number;
            message: string | null;
            parts: number;
            paused?: boolean;
            pausedUntil?: components["schemas"]["Time"];
            recipientCount: number;
            recipients: components["schemas"]["RecipientState"][];
            /** Format: int64 */
            refunded: number;
            /** Format: int64 */
            released: number;
            /** Format: int64 */
            reserved: number;
            /** Format: int64 */
            returned: number;
            sendAt: components["schemas"]["Time"] | null;
            /** @enum {boolean} */
            simulated?: true;
            skipped?: number;
            sourceNumber: string;
            /** Format: int64 */
            spent: number;
            status: components["schemas"]["MessageStatus"];
            test: boolean;
            /** @enum {boolean} */
            textTruncated?: true;
            type: components["schemas"]["MessageType"];
            /** Format: uuid */
            uid: string;
            unit: string;
            /** @enum {string} */
            waitsFor?: "HOURS";
            waitsUntil?: components["schemas"]["Time"];
            withCarriers: number;
        };
        Carrier: components["schemas"]["SandboxCarrier"] | components["schemas"]["HttpCarrier"] | components["schemas"]["SmppCarrier"];
        CarrierChange: {
            active?: boolean | null;
            http?: {
                allowPlaintext?: boolean | null;
                /** @enum {string|null} */
                gateway?: "KANNEL" | "JASMIN" | null;
                objects?: number | null;
                password?: string;
                timeoutMs?: number | null;
                url?: string;
                username?: string;
                window?: number | null;
            } | null;
            kind?: string | null;
            name?: string | null;
            paused?: boolean | null;
            sandbox?: {
                reportAfterMs?: number | null;
                window?: number | null;
            } | null;
            smpp?: {
                binds?: number | null;
                dataCoding?: number | null;
                /** @enum {string|null} */
                defaultAlphabet?: "GSM7" | "LATIN1" | "IA5" | null;
                host?: string;
                /** @enum {string|null} */
                longMessages?: "UDH" | "PAYLOAD" | "SAR" | null;
                /** @enum {string|null} */
                partReports?: "AUTO" | "ALL" | "FIRST" | "LAST" | "ANY" | null;
                password?: string;
                port?: number | null;
                /** @enum {string|null} */
                reportIds?: "AS_IS" | "HEX" | "DECIMAL" | null;
                /** @enum {string|null} */
                reportNumbers?: "EITHER" | "SOURCE" | "DESTINATION" | "NONE" | null;
                sourceNpi?: number | null;
                sourceTon?: number | null;
                systemId?: string;
                systemType?: string | null;
                throughputPerSecond?: number | null;
                tls?: boolean | null;
                validitySeconds?: number | null;
                window?: number | null;
            } | null;
        };
        CarrierHealth: {
            encrypted: boolean;
            inWindow: number;
            lastError: string | null;
            lastErrorAt: components["schemas"]["Time"] | null;
            lastMinute: number;
            lastSuccessAt: components["schemas"]["Time"] | null;
            lateFailures: number;
            learnedPerSecond: number | null;
            oldestQueuedSeconds: number;
            /** @enum {string|null} */
            partReports: "ALL" | "FIRST" | "LAST" | "ONE_ID" | "ANY" | null;
            queued: number;
            /** @enum {string} */
            state: "UP" | "THROTTLED" | "CONNECTING" | "DOWN" | "PAUSED" | "INACTIVE" | "UNKNOWN";
            storageBytes: number;
            unknownReports: number;
        };
        CarrierInput: components["schemas"]["SandboxCarrierInput"] | components["schemas"]["HttpCarrierInput"] | components["schemas"]["SmppCarrierInput"];
        Cascade: {
            keys: {
                /** Format: uuid */
                id: string;
                revokedAt: components["schemas"]["Time"];
                title: string;
            }[];
            webhooks: {
                id: string;
                /** Format: uri */
                url: string;
            }[];
        };
        CheckVerification: components["schemas"]["CodeOfId"] | components["schemas"]["CodeOfRecipient"];
        ChoiceInput: {
            maxLength?: number | null;
            name: string;
            secret?: boolean | null;
            /** @enum {string} */
            type: "ENUM";
            values: string[];
        };
        CodeOfId: {
            code: string;
            id: string;
            /** @enum {unknown} */
            purpose?: null;
            /** @enum {unknown} */
            recipient?: null;
        };
        CodeOfRecipient: {
            code: string;
            purpose?: string | null;
            recipient: components["schemas"]["WrittenPhoneNumber"];
        };
        Condition: {
            /** @enum {string} */
            match: "ALL" | "ANY";
            tests: {
                attribute: string;
                /** @enum {string} */
                operator: "EQUALS" | "NOT_EQUALS" | "LESS" | "GREATER" | "CONTAINS" | "EXISTS" | "MISSING";
                value: string | null;
            }[];
        };
        ConsoleLink: {
            code: string;
            expiresAt: components["schemas"]["Time"] | null;
            url: string;
        };
        ConsoleSession: {
            account: {
                fullName: string;
                /** Format: uuid */
                id: string;
                timeZone: string;
                username: string;
            } | null;
            accounts: {
                fullName: string | null;
                id: string;
                username: string | null;
            }[];
            expiresAt: components["schemas"]["Time"] | null;
            /** Format: uuid */
            keyId: string;
            lines: string[] | null;
            member: {
                passkeyUser: string | null;
                phone: components["schemas"]["PhoneNumber"];
                /** @enum {string|null} */
                role: "OWNER" | "SENDER" | "FINANCE" | "VIEWER" | null;
                /** @enum {string|null} */
                signedInBy: "CODE" | "PASSKEY" | "LINK" | null;
            } | null;
            /** @enum {string} */
            mode: "live" | "test";
            /** @enum {string} */
            role: "CUSTOMER" | "OPERATOR";
            scopes: components["schemas"]["Scope"][];
            title: string;
        };
        Credit: {
            amount: number;
            note?: string | null;
        };
        Credited: {
            wallet: components["schemas"]["Wallet"];
        };
        DeadLetter: {
            /** Format: uuid */
            account: string;
            attempts: number;
            carrier: string;
            createdAt: components["schemas"]["Time"];
            id: number;
            /** @enum {string} */
            kind: "GIVEN_UP" | "STUCK";
            /** Format: uuid */
            message: string;
            reason: string;
            recipients: number;
            username: string | null;
        };
        Delivery: {
            attempts: number;
            createdAt: components["schemas"]["Time"];
            /** @enum {string|null} */
            error: "NO_ANSWER" | "REDIRECT" | "STATUS" | "GONE" | "ADDRESS_REFUSED" | "BACKLOG_FULL" | "INTERNAL" | null;
            id: string;
            lastAttemptAt: components["schemas"]["Time"] | null;
            nextAttemptAt: components["schemas"]["Time"] | null;
            responseBody: string | null;
            responseStatus: number | null;
            /** @enum {string} */
            status: "WAITING" | "DELIVERED" | "FAILED" | "DROPPED" | "NOTED";
            /** @enum {string} */
            type: "message.status" | "message.submitted" | "message.received" | "wallet.low" | "verify.status" | "verify.paused" | "campaign.paused" | "campaign.stopped" | "campaign.done" | "pattern.reviewed" | "webhook.disabled" | "webhook.test";
        };
        /** @enum {string} */
        DeliveryError: "ABSENT_SUBSCRIBER" | "UNKNOWN_SUBSCRIBER" | "BLOCKED" | "CONTENT_REFUSED" | "SENDER_REFUSED" | "EXPIRED" | "NO_REPORT" | "BLACKLISTED" | "NOT_A_DESTINATION" | "TEXT_NOT_SENDABLE" | "RECIPIENT_LIMIT" | "CARRIER_ERROR";
        DeliveryWithRequest: {
            attempts: number;
            body: string;
            createdAt: components["schemas"]["Time"];
            /** @enum {string|null} */
            error: "NO_ANSWER" | "REDIRECT" | "STATUS" | "GONE" | "ADDRESS_REFUSED" | "BACKLOG_FULL" | "INTERNAL" | null;
            id: string;
            lastAttemptAt: components["schemas"]["Time"] | null;
            nextAttemptAt: components["schemas"]["Time"] | null;
            responseBody: string | null;
            responseStatus: number | null;
            /** @enum {string} */
            status: "WAITING" | "DELIVERED" | "FAILED" | "DROPPED" | "NOTED";
            /** @enum {string} */
            type: "message.status" | "message.submitted" | "message.received" | "wallet.low" | "verify.status" | "verify.paused" | "campaign.paused" | "campaign.stopped" | "campaign.done" | "pattern.reviewed" | "webhook.disabled" | "webhook.test";
            /** Format: uri */
            url: string;
        };
        Endpoint: {
            active: boolean;
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            description: string | null;
            /** @enum {string|null} */
            disabledReason: "GONE" | "FAILING" | "KEY_REVOKED" | null;
            events: components["schemas"]["EventType"][];
            failingSince: components["schemas"]["Time"] | null;
            id: string;
            lowBalance: number | null;
            /** @enum {string} */
            mode: "live" | "test";
            /** Format: uri */
            url: string;
        };
        EndpointChange: {
            active?: boolean | null;
            description?: string | null;
            events?: components["schemas"]["EventType"][];
            lowBalance?: number | null;
            /** Format: uri */
            url?: string;
        };
        EndpointInput: {
            active?: boolean | null;
            description?: string | null;
            events: components["schemas"]["EventType"][];
            lowBalance?: number | null;
            /** Format: uri */
            url: string;
        };
        EndpointWithSecret: {
            active: boolean;
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            description: string | null;
            /** @enum {string|null} */
            disabledReason: "GONE" | "FAILING" | "KEY_REVOKED" | null;
            events: components["schemas"]["EventType"][];
            failingSince: components["schemas"]["Time"] | null;
            id: string;
            lowBalance: number | null;
            /** @enum {string} */
            mode: "live" | "test";
            secret: string;
            /** Format: uri */
            url: string;
        };
        ErasedData: {
            blacklisted: boolean;
            canceled: number;
            events: number;
            inbound: number;
            mentions: number;
            phonebookNumbers: number;
            recipients: number;
        };
        Erasure: {
            accounts: number | null;
            createdAt: components["schemas"]["Time"];
            doneAt: components["schemas"]["Time"] | null;
            found: components["schemas"]["ErasedData"];
            /** Format: uuid */
            id: string;
            numberEnding: string;
            /** @enum {string} */
            orderedBy: "ACCOUNT" | "OPERATORS";
            /** @enum {string} */
            status: "RUNNING" | "DONE";
        };
        ErasureInput: {
            number: components["schemas"]["WrittenPhoneNumber"];
        };
        Estimate: {
            alternatives: components["schemas"]["Alternative"][];
            /** Format: int64 */
            cost: number;
            /** @enum {string} */
            encoding: "GSM7" | "UCS2";
            faults: components["schemas"]["Refusal"][];
            parts: number;
            recipients: number;
            samples?: string[];
            /** Format: int64 */
            saved?: number;
            skipped?: number;
            sourceNumber: string;
            suffix?: string;
            test: boolean;
            text?: string;
            type: components["schemas"]["MessageType"];
            unit: string;
            /** @enum {string} */
            waitsFor?: "HOURS";
            waitsUntil?: components["schemas"]["Time"];
        };
        EstimateOfBulk: {
            bulk: components["schemas"]["SendBulk"];
            pattern?: unknown;
            phonebook?: unknown;
            send?: unknown;
        };
        EstimateOfPattern: {
            bulk?: unknown;
            pattern: components["schemas"]["SendPattern"];
            phonebook?: unknown;
            send?: unknown;
        };
        EstimateOfPhonebook: {
            bulk?: unknown;
            pattern?: unknown;
            phonebook: components["schemas"]["SendToPhonebook"];
            send?: unknown;
        };
        EstimateOfSend: {
            bulk?: unknown;
            pattern?: unknown;
            phonebook?: unknown;
            send: components["schemas"]["SendSms"];
        };
        EstimateSend: components["schemas"]["EstimateOfSend"] | components["schemas"]["EstimateOfPattern"] | components["schemas"]["EstimateOfPhonebook"] | components["schemas"]["EstimateOfBulk"];
        /** @enum {string} */
        EventType: "message.status" | "message.submitted" | "message.received" | "wallet.low" | "verify.status" | "verify.paused" | "campaign.paused" | "campaign.stopped" | "campaign.done" | "pattern.reviewed" | "webhook.disabled";
        FailedGuard: {
            after?: number | null;
            failedShare: number;
            optOutShare?: number | null;
        };
        FoundKey: {
            /** Format: uuid */
            account: string | null;
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            /** Format: int64 */
            dailySpend: number | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            ips: string[] | null;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            lines: string[] | null;
            /** @enum {string} */
            mode: "live" | "test";
            ratePerMinute: number | null;
            /** Format: uuid */
            replacedBy: string | null;
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            /** @enum {string} */
            status: "ACTIVE" | "REVOKED" | "EXPIRED";
            title: string;
            username: string | null;
        };
        FoundRecipient: {
            asked: string;
            clientRef: string | null;
            /** Format: int64 */
            cost: number;
            createdAt: components["schemas"]["Time"];
            error?: components["schemas"]["DeliveryError"];
            parts: number;
            recipient: string;
            recipientCount: number;
            sendAt: components["schemas"]["Time"] | null;
            /** @enum {boolean} */
            simulated?: true;
            sourceNumber: string;
            status: components["schemas"]["RecipientStatus"];
            text: string;
            uid: string;
            updatedAt: components["schemas"]["Time"];
        };
        FoundRecipients: {
            recipients: components["schemas"]["FoundRecipient"][];
        };
        FoundToMove: {
            accounts: number;
            /** Format: int64 */
            available: number;
            bytes: number;
            /** Format: int64 */
            locked: number;
            messages: number;
            numbers: number;
            patterns: number;
            phonebooks: number;
            unit: string;
        };
        FreeVariableInput: {
            maxLength?: number | null;
            name: string;
            secret?: boolean | null;
            /** @enum {string|null} */
            type?: "TEXT" | "NUMBER" | "LINK" | null;
            values?: unknown[] | null;
        };
        GuardInput: components["schemas"]["FailedGuard"] | components["schemas"]["OptOutGuard"];
        Health: {
            /** @enum {string} */
            status: "UP";
            version: string;
        };
        Held: {
            blacklisted: boolean;
            inbound: number;
            messages: number;
            number: components["schemas"]["PhoneNumber"];
            optOut: boolean;
            phonebooks: components["schemas"]["HeldNumber"][];
        };
        HeldNumber: {
            entry: components["schemas"]["Number"];
            /** Format: uuid */
            phonebookId: string;
            title: string;
        };
        Hours: {
            from: string;
            timeZone: string;
            to: string;
        };
        HttpCarrier: {
            active: boolean;
            health: components["schemas"]["CarrierHealth"];
            http: {
                allowPlaintext?: boolean;
                /** @enum {string} */
                gateway?: "KANNEL" | "JASMIN";
                objects?: number;
                timeoutMs?: number;
                url?: string;
                username?: string;
                window?: number;
            };
            inboundUrl?: string | null;
            /** @enum {string} */
            kind: "http";
            name: string;
            paused: boolean;
            waiting: components["schemas"]["Waiting"];
        };
        HttpCarrierInput: {
            active?: boolean | null;
            http: {
                allowPlaintext?: boolean | null;
                /** @enum {string|null} */
                gateway?: "KANNEL" | "JASMIN" | null;
                objects?: number | null;
                password: string;
                timeoutMs?: number | null;
                url: string;
                username: string;
                window?: number | null;
            };
            /** @enum {string} */
            kind: "http";
            name: string;
            paused?: boolean | null;
            /** @enum {unknown} */
            sandbox?: null;
            /** @enum {unknown} */
            smpp?: null;
        };
        ImportedColumns: {
            attributes: string[];
            leftOut: string[];
            name: string | null;
            number: string;
        };
        ImportedNumbers: {
            added: number;
            columns: components["schemas"]["ImportedColumns"];
            invalid: {
                detail: string;
                line: number;
                value: string | null;
            }[];
            invalidCount: number;
            lines: number;
            updated: number;
        };
        InboundMessage: {
            from: string;
            id: string;
            line: string;
            number: number;
            optOut: boolean;
            receivedAt: components["schemas"]["Time"];
            taken: boolean;
            text: string;
            /** @enum {boolean} */
            textTruncated?: true;
        };
        InboundToTake: {
            limit?: number | null;
            line?: string | null;
        };
        InsertedRows: {
            rows: number;
        };
        IssuedKey: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            /** Format: int64 */
            dailySpend: number | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            ips: string[] | null;
            key: string;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            lines: string[] | null;
            /** @enum {string} */
            mode: "live" | "test";
            ratePerMinute: number | null;
            /** Format: uuid */
            replacedBy: string | null;
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            title: string;
        };
        IssuedOperatorKey: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            key: string;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            /** Format: uuid */
            replacedBy: string | null;
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            title: string;
        };
        Key: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            /** Format: int64 */
            dailySpend: number | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            ips: string[] | null;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            lines: string[] | null;
            /** @enum {string} */
            mode: "live" | "test";
            ratePerMinute: number | null;
            /** Format: uuid */
            replacedBy: string | null;
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            title: string;
        };
        KeyInput: {
            dailySpend?: number | null;
            expiresAt?: components["schemas"]["TimeToCome"] | null;
            /** @enum {string|null} */
            form?: "PEYK" | "HEX32" | "HEX64" | null;
            ips?: string[] | null;
            key?: string | null;
            lines?: string[] | null;
            /** @enum {string|null} */
            mode?: "live" | "test" | null;
            ratePerMinute?: number | null;
            scopes?: components["schemas"]["AccountScope"][] | null;
            title: string;
        };
        KeyOfRows: {
            digest: string;
            record: string;
        };
        KeyOfRowsRead: {
            digest: string;
            record: string;
        };
        KeyToFind: {
            key: string;
        };
        Line: {
            accounts: string[];
            /** @enum {boolean} */
            accountsTruncated?: true;
            active: boolean;
            carrier: string | null;
            cheapest: boolean;
            /** @enum {string} */
            class: "ADVERTISING" | "SERVICE";
            coefficients: {
                ENGLISH: number;
                MCI: number;
                MTN: number;
                PATTERN: number;
                PERSIAN: number;
                WEBSERVICE: number;
            };
            hours: components["schemas"]["Hours"] | null;
            number: string;
            operations: ("WEBSERVICE" | "PATTERN")[];
            paused: boolean;
            routes: components["schemas"]["Route"][];
            shared: boolean;
            suffix: string | null;
            waiting: components["schemas"]["Waiting"];
        };
        LineChange: {
            accounts?: string[] | null;
            active?: boolean | null;
            allowSandbox?: boolean | null;
            carrier?: string | null;
            cheapest?: boolean | null;
            coefficients?: {
                ENGLISH?: number | null;
                MCI?: number | null;
                MTN?: number | null;
                PATTERN?: number | null;
                PERSIAN?: number | null;
                WEBSERVICE?: number | null;
            } | null;
            hours?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
            operations?: ("WEBSERVICE" | "PATTERN")[] | null;
            paused?: boolean | null;
            /** @enum {unknown} */
            routes?: null;
            shared?: boolean | null;
            suffix?: string | null;
        };
        LineChangeWithRoutes: {
            accounts?: string[] | null;
            active?: boolean | null;
            allowSandbox?: boolean | null;
            /** @enum {unknown} */
            carrier?: null;
            cheapest?: boolean | null;
            coefficients?: {
                ENGLISH?: number | null;
                MCI?: number | null;
                MTN?: number | null;
                PATTERN?: number | null;
                PERSIAN?: number | null;
                WEBSERVICE?: number | null;
            } | null;
            hours?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
            operations?: ("WEBSERVICE" | "PATTERN")[] | null;
            paused?: boolean | null;
            routes: components["schemas"]["RouteInput"][];
            shared?: boolean | null;
            suffix?: string | null;
        };
        LineInbound: {
            /** Format: uuid */
            account: string | null;
            keywords: {
                /** Format: uuid */
                account: string;
                keyword: string;
            }[];
            optInReply: string | null;
            optOutReply: string | null;
        };
        LineInboundInput: {
            account?: string | null;
            keywords?: {
                account: string;
                keyword: string;
            }[] | null;
            optInReply?: string | null;
            optOutReply?: string | null;
        };
        LineInput: components["schemas"]["LineOfCarrierInput"] | components["schemas"]["LineWithRoutesInput"];
        LineOfCarrierInput: {
            accounts?: string[] | null;
            active?: boolean | null;
            allowSandbox?: boolean | null;
            carrier: string;
            cheapest?: boolean | null;
            coefficients?: {
                ENGLISH?: number | null;
                MCI?: number | null;
                MTN?: number | null;
                PATTERN?: number | null;
                PERSIAN?: number | null;
                WEBSERVICE?: number | null;
            } | null;
            hours?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
            number: string;
            operations: ("WEBSERVICE" | "PATTERN")[];
            paused?: boolean | null;
            /** @enum {unknown} */
            routes?: null;
            shared?: boolean | null;
            suffix?: string | null;
        };
        LineWithRoutesInput: {
            accounts?: string[] | null;
            active?: boolean | null;
            allowSandbox?: boolean | null;
            /** @enum {unknown} */
            carrier?: null;
            cheapest?: boolean | null;
            coefficients?: {
                ENGLISH?: number | null;
                MCI?: number | null;
                MTN?: number | null;
                PATTERN?: number | null;
                PERSIAN?: number | null;
                WEBSERVICE?: number | null;
            } | null;
            hours?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
            number: string;
            operations: ("WEBSERVICE" | "PATTERN")[];
            paused?: boolean | null;
            routes: components["schemas"]["RouteInput"][];
            shared?: boolean | null;
            suffix?: string | null;
        };
        LinkCode: {
            code: string;
        };
        LinkInput: {
            ttlSeconds?: number | null;
        };
        LowBalance: {
            lowBalance: number | null;
            unit: string;
        };
        LowBalanceInput: {
            lowBalance: number | null;
        };
        ManyNumbers: {
            /** @enum {unknown} */
            number?: null;
            numbers: (components["schemas"]["WrittenPhoneNumber"] | components["schemas"]["NumberInput"])[];
        };
        Member: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            /** Format: uuid */
            id: string;
            joinedAt: components["schemas"]["Time"] | null;
            lastSignInAt: components["schemas"]["Time"] | null;
            name: string;
            phone: components["schemas"]["PhoneNumber"];
            /** @enum {string} */
            role: "OWNER" | "SENDER" | "FINANCE" | "VIEWER";
        };
        Message: {
            /** Format: uuid */
            campaign?: string;
            clientRef: string | null;
            /** Format: int64 */
            cost: number;
            createdAt: components["schemas"]["Time"];
            delivered: number;
            /** @enum {string} */
            encoding: "GSM7" | "UCS2";
            failed: number;
            message: string | null;
            parts: number;
            paused?: boolean;
            pausedUntil?: components["schemas"]["Time"];
            recipientCount: number;
            sendAt: components["schemas"]["Time"] | null;
            /** @enum {boolean} */
            simulated?: true;
            skipped?: number;
            sourceNumber: string;
            status: components["schemas"]["MessageStatus"];
            test: boolean;
            /** @enum {boolean} */
            textTruncated?: true;
            type: components["schemas"]["MessageType"];
            /** Format: uuid */
            uid: string;
            unit: string;
            /** @enum {string} */
            waitsFor?: "HOURS";
            waitsUntil?: components["schemas"]["Time"];
        };
        MessageDetail: {
            /** Format: uuid */
            campaign?: string;
            clientRef: string | null;
            /** Format: int64 */
            cost: number;
            counts: {
                CANCELED?: number;
                DELIVERED?: number;
                EXPIRED?: number;
                QUEUED?: number;
                REJECTED?: number;
                SCHEDULED?: number;
                SKIPPED?: number;
                SUBMITTED?: number;
                UNDELIVERED?: number;
                UNKNOWN?: number;
            };
            createdAt: components["schemas"]["Time"];
            delivered: number;
            /** @enum {string} */
            encoding: "GSM7" | "UCS2";
            failed: number;
            message: string | null;
            parts: number;
            paused?: boolean;
            pausedUntil?: components["schemas"]["Time"];
            recipientCount: number;
            recipients: components["schemas"]["RecipientState"][];
            /** Format: int64 */
            refunded: number;
            /** Format: int64 */
            released: number;
            /** Format: int64 */
            reserved: number;
            /** Format: int64 */
            returned: number;
            sendAt: components["schemas"]["Time"] | null;
            /** @enum {boolean} */
            simulated?: true;
            skipped?: number;
            sourceNumber: string;
            /** Format: int64 */
            spent: number;
            status: components["schemas"]["MessageStatus"];
            test: boolean;
            /** @enum {boolean} */
            textTruncated?: true;
            type: components["schemas"]["MessageType"];
            /** Format: uuid */
            uid: string;
            unit: string;
            /** @enum {string} */
            waitsFor?: "HOURS";
            waitsUntil?: components["schemas"]["Time"];
        };
        MessageReceivedEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                from: string;
                id: string;
                line: string;
                optOut: boolean;
                receivedAt: components["schemas"]["Time"];
                text: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.received";
        };
        /** @enum {string} */
        MessageStatus: "SCHEDULED" | "QUEUED" | "SENDING" | "DONE" | "CANCELED";
        MessageStatusEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                clientRef: string | null;
                recipients: {
                    changedAt: components["schemas"]["Time"];
                    error?: components["schemas"]["DeliveryError"];
                    recipient: string;
                    /** @enum {boolean} */
                    simulated?: true;
                    status: components["schemas"]["RecipientStatus"];
                    uid: string;
                }[];
                /** @enum {boolean} */
                simulated?: true;
                test: boolean;
                /** Format: uuid */
                uid: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.status";
        };
        MessageSubmittedEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                clientRef: string | null;
                recipients: {
                    changedAt: components["schemas"]["Time"];
                    error?: components["schemas"]["DeliveryError"];
                    recipient: string;
                    /** @enum {boolean} */
                    simulated?: true;
                    status: components["schemas"]["RecipientStatus"];
                    uid: string;
                }[];
                /** @enum {boolean} */
                simulated?: true;
                test: boolean;
                /** Format: uuid */
                uid: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.submitted";
        };
        /** @enum {string} */
        MessageType: "PLAIN" | "PATTERN" | "PHONEBOOK" | "BULK" | "VERIFY" | "SIGN_IN";
        Meta: {
            ignored?: string[];
            requestId: string;
            warnings?: string[];
        };
        MovedObject: {
            busy: boolean;
            new: boolean;
            object: string;
            parts: string[];
        };
        MovedObjects: {
            objects: components["schemas"]["MovedObject"][];
        };
        Number: {
            attributes: {
                [key: string]: string;
            };
            createdAt: components["schemas"]["Time"];
            id: number;
            name: string | null;
            number: components["schemas"]["PhoneNumber"];
        };
        NumberChange: {
            attributes?: {
                [key: string]: string | number | null;
            } | null;
            name?: string | null;
            number?: components["schemas"]["WrittenPhoneNumber"] | null;
        };
        NumberInput: {
            attributes?: {
                [key: string]: string | number | null;
            } | null;
            name?: string | null;
            number: components["schemas"]["WrittenPhoneNumber"];
        };
        Numbers: {
            numbers: components["schemas"]["WrittenPhoneNumber"][];
        };
        ObjectsChange: {
            now?: boolean | null;
            objects: string[];
            parts?: string[] | null;
            /** @enum {string} */
            state: "FROZEN" | "THAWED";
            /** @enum {string} */
            store: "ACCOUNT" | "WEBHOOK" | "CARRIER";
        };
        OneNumber: {
            attributes?: {
                [key: string]: string | number | null;
            } | null;
            name?: string | null;
            number: components["schemas"]["WrittenPhoneNumber"];
            /** @enum {unknown} */
            numbers?: null;
        };
        OperatorKey: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            /** Format: uuid */
            replacedBy: string | null;
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            title: string;
        };
        OperatorKeyInput: {
            expiresAt?: components["schemas"]["TimeToCome"] | null;
            /** @enum {string|null} */
            form?: "PEYK" | "HEX32" | "HEX64" | null;
            /** @enum {unknown} */
            key?: null;
            /** @enum {unknown} */
            lines?: null;
            /** @enum {unknown} */
            mode?: null;
            scopes?: components["schemas"]["OperatorScope"][] | null;
            title: string;
        };
        OperatorMember: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            /** Format: uuid */
            id: string;
            lastSignInAt: components["schemas"]["Time"] | null;
            name: string;
            phone: components["schemas"]["PhoneNumber"];
            scopes: components["schemas"]["Scope"][];
        };
        OperatorMemberChange: {
            name?: string | null;
            scopes?: components["schemas"]["OperatorScope"][] | null;
        };
        OperatorMemberInput: {
            name: string;
            phone: components["schemas"]["WrittenPhoneNumber"];
            scopes: components["schemas"]["OperatorScope"][];
        };
        /** @enum {string} */
        OperatorScope: "admin" | "admin:read" | "admin:money" | "admin:accounts" | "admin:carriers" | "admin:service" | "admin:metrics" | "admin:transfer";
        OperatorsRecipient: {
            carrier: string | null;
            /** Format: int64 */
            cost: number;
            error: components["schemas"]["DeliveryError"] | null;
            errorCode: string | null;
            recipient: string;
            status: components["schemas"]["RecipientStatus"];
            uid: string;
            updatedAt: components["schemas"]["Time"];
        };
        OptOutGuard: {
            after?: number | null;
            failedShare?: number | null;
            optOutShare: number;
        };
        Outcomes: {
            hasMore: boolean;
            operators: {
                delivered: number;
                failed: number;
                operator: string;
                others: number;
            }[];
            reasons: {
                reason: string;
                recipients: number;
            }[];
            recipients: number;
        };
        OwnKey: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            current: boolean;
            /** Format: int64 */
            dailySpend: number | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            ips: string[] | null;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            lines: string[] | null;
            /** @enum {string} */
            mode: "live" | "test";
            ratePerMinute: number | null;
            /** Format: uuid */
            replacedBy: string | null;
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            title: string;
        };
        OwnKeyInput: {
            dailySpend?: number | null;
            expiresAt?: components["schemas"]["TimeToCome"] | null;
            /** @enum {string|null} */
            form?: "PEYK" | "HEX32" | "HEX64" | null;
            ips?: string[] | null;
            /** @enum {unknown} */
            key?: null;
            lines?: string[] | null;
            /** @enum {string|null} */
            mode?: "live" | "test" | null;
            ratePerMinute?: number | null;
            scopes?: components["schemas"]["AccountScope"][] | null;
            title: string;
        };
        OwnLine: {
            cheapest: boolean;
            /** @enum {string} */
            class: "ADVERTISING" | "SERVICE";
            default: boolean;
            hours: components["schemas"]["Hours"] | null;
            number: string;
            operations: ("WEBSERVICE" | "PATTERN")[];
            shared: boolean;
            suffix: string | null;
        };
        PageMeta: {
            ignored?: string[];
            nextCursor: string | null;
            requestId: string;
            warnings?: string[];
        };
        PartHealth: {
            cause: string | null;
            latencyMs: number;
            /** @enum {string} */
            state: "UP" | "DOWN" | "HANGS";
        };
        Passkey: {
            createdAt: components["schemas"]["Time"];
            credentialId: string;
            /** Format: uuid */
            id: string;
            title: string;
            usedAt: components["schemas"]["Time"] | null;
        };
        PasskeyChallenge: {
            challenge: string;
            expiresAt: components["schemas"]["Time"];
            rpId: string;
        };
        PasskeyChange: {
            title: string;
        };
        PasskeyInput: {
            authenticatorData: string;
            clientDataJSON: string;
            title: string;
        };
        PasskeySignIn: {
            authenticatorData: string;
            clientDataJSON: string;
            id: string;
            signature: string;
            userHandle: string;
        };
        Passkeys: {
            passkeys: components["schemas"]["Passkey"][];
        };
        Pattern: {
            createdAt: components["schemas"]["Time"];
            lines: string[];
            slug: string;
            title: string;
            versions: components["schemas"]["PatternVersion"][];
        };
        PatternCampaign: {
            budget?: number | null;
            exclude?: {
                numbers?: components["schemas"]["WrittenPhoneNumber"][] | null;
                phonebooks?: string[] | null;
            } | null;
            guard?: components["schemas"]["GuardInput"] | null;
            /** @enum {unknown} */
            message?: null;
            pattern: string;
            perMinute?: number | null;
            phonebooks: string[];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            title: string;
            variables?: {
                [key: string]: string | number | null;
            } | unknown[] | null;
            where?: {
                /** @enum {string|null} */
                match?: "ALL" | "ANY" | null;
                tests: components["schemas"]["TestInput"][];
            } | null;
            window?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
        };
        PatternCampaignChange: {
            budget?: number | null;
            exclude?: {
                numbers?: components["schemas"]["WrittenPhoneNumber"][] | null;
                phonebooks?: string[] | null;
            } | null;
            guard?: components["schemas"]["GuardInput"] | null;
            /** @enum {unknown} */
            message?: null;
            pattern?: string | null;
            perMinute?: number | null;
            phonebooks?: string[];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            title?: string;
            variables?: {
                [key: string]: string | number | null;
            } | unknown[] | null;
            where?: {
                /** @enum {string|null} */
                match?: "ALL" | "ANY" | null;
                tests: components["schemas"]["TestInput"][];
            } | null;
            window?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
        };
        PatternChange: {
            lines?: string[] | null;
            title?: string | null;
        };
        PatternInput: components["schemas"]["PatternWithVersion"] | components["schemas"]["PatternWithoutVersion"];
        PatternRefusal: {
            reason: string;
        };
        PatternReviewedEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                reason: string | null;
                slug: string;
                /** @enum {string} */
                status: "ACTIVE" | "REFUSED";
                version: number;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pattern.reviewed";
        };
        PatternToMany: {
            blacklisted?: string | null;
            clientRef?: string | null;
            encoding?: string | null;
            pattern: string;
            /** @enum {unknown} */
            recipient?: null;
            recipients: components["schemas"]["WrittenPhoneNumber"][];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            variables?: {
                [key: string]: string | number | null;
            } | unknown[] | null;
        };
        PatternToOne: {
            blacklisted?: string | null;
            clientRef?: string | null;
            encoding?: string | null;
            pattern: string;
            recipient: components["schemas"]["WrittenPhoneNumber"];
            /** @enum {unknown} */
            recipients?: null;
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            variables?: {
                [key: string]: string | number | null;
            } | unknown[] | null;
        };
        PatternVersion: {
            createdAt: components["schemas"]["Time"];
            reason?: string;
            /** @enum {string} */
            status: "ACTIVE" | "DRAFT" | "PENDING" | "REFUSED" | "RETIRED";
            text: string;
            /** @enum {boolean} */
            textTruncated?: true;
            variables: components["schemas"]["Variable"][];
            version: number;
        };
        PatternVersionInput: {
            text: string;
            variables?: components["schemas"]["VariableInput"][] | null;
        };
        PatternWithVersion: {
            lines?: string[] | null;
            slug?: string | null;
            text: string;
            title: string;
            variables?: components["schemas"]["VariableInput"][] | null;
        };
        PatternWithoutVersion: {
            lines?: string[] | null;
            slug?: string | null;
            /** @enum {unknown} */
            text?: null;
            title: string;
            variables?: unknown;
        };
        PendingCredit: {
            /** Format: uuid */
            account: string;
            /** Format: int64 */
            amount: number;
            createdAt: components["schemas"]["Time"];
            createdBy: string;
            decidedAt: components["schemas"]["Time"] | null;
            decidedBy: string | null;
            expiresAt: components["schemas"]["Time"];
            /** Format: uuid */
            id: string;
            note: string | null;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED";
        };
        PendingVerifications: {
            verifications: components["schemas"]["Verification"][];
        };
        PendingVersion: {
            /** Format: uuid */
            account: string;
            slug: string;
            title: string;
            username: string | null;
            version: components["schemas"]["PatternVersion"];
        };
        PhoneNumber: string;
        Phonebook: {
            count: number;
            createdAt: components["schemas"]["Time"];
            description: string | null;
            /** Format: uuid */
            id: string;
            title: string;
        };
        PhonebookChange: {
            description?: string | null;
            title?: string;
        };
        PhonebookChangeById: {
            description?: string | null;
            id: string;
            title?: string;
        };
        PhonebookInput: {
            description?: string | null;
            title: string;
        };
        Plan: {
            refunds: ("UNDELIVERED" | "EXPIRED")[];
            slug: string;
            tariff: {
                price: number;
                prices: components["schemas"]["PriceTo"][];
                slug: string;
                title: string;
            };
            title: string;
        };
        PlanChange: {
            refunds?: ("UNDELIVERED" | "EXPIRED")[] | null;
            tariff?: {
                price?: number | null;
                prices?: components["schemas"]["PriceToInput"][] | null;
                slug?: string | null;
                title?: string | null;
            } | null;
            title?: string | null;
        };
        PlanInput: {
            refunds?: ("UNDELIVERED" | "EXPIRED")[] | null;
            slug: string;
            tariff: {
                price: number;
                prices?: components["schemas"]["PriceToInput"][] | null;
                slug: string;
                title: string;
            };
            title: string;
        };
        PresenceTest: {
            attribute: string;
            /** @enum {string} */
            operator: "EXISTS" | "MISSING";
        };
        PriceTo: {
            prefix: string;
            price: number;
        };
        PriceToInput: {
            prefix: string;
            price: number;
        };
        Problem: {
            code: number;
            detail: string;
            errors: {
                detail: string;
                pointer: string;
            }[];
            extra: string[];
            instance: string;
            meta: components["schemas"]["Meta"];
            /** @enum {string} */
            name: "BadRequest" | "Unauthorized" | "Forbidden" | "NotFound" | "MethodNotAllowed" | "Conflict" | "PayloadTooLarge" | "UnsupportedMediaType" | "ErrorTypeValidation" | "TooManyRequests" | "InternalServerError" | "ServiceUnavailable" | "UserInactive" | "InsufficientBalance" | "DailyLimitReached" | "SmsSendNotAllowed" | "SmsHeadNumberNotFound" | "SmsPatternNoActiveVersion" | "SmsPatternHeadNumberNotAcceptable" | "SmsPatternVariableHasNoValue" | "SmsPatternVariableNotValid" | "SmsDestinationNotAllowed" | "SmsRecipientBlacklisted" | "SmsRecipientLimit" | "VerifyNotPending";
            status: number;
            statusCode: number;
            title: string;
            /** Format: uri */
            type: string;
        };
        ProofKey: {
            /** @enum {string} */
            alg: "EdDSA";
            /** @enum {string} */
            crv: "Ed25519";
            kid: string;
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
            use: "sig";
            x: string;
        };
        ProofKeys: {
            keys: components["schemas"]["ProofKey"][];
        };
        RateLimit: {
            burst: number;
            limit: number;
            windowSeconds: number;
        };
        Recipient: {
            /** Format: int64 */
            cost: number;
            recipient: string;
            status: components["schemas"]["RecipientStatus"];
            uid: string;
        };
        RecipientLimitInput: {
            limit: number;
            windowSeconds: number;
        };
        RecipientState: {
            /** Format: int64 */
            cost: number;
            /** @enum {string} */
            encoding?: "GSM7" | "UCS2";
            error?: components["schemas"]["DeliveryError"];
            message?: string;
            parts?: number;
            recipient: string;
            /** @enum {boolean} */
            simulated?: true;
            status: components["schemas"]["RecipientStatus"];
            /** @enum {boolean} */
            textTruncated?: true;
            uid: string;
            updatedAt: components["schemas"]["Time"];
        };
        /** @enum {string} */
        RecipientStatus: "SCHEDULED" | "QUEUED" | "UNKNOWN" | "SUBMITTED" | "DELIVERED" | "UNDELIVERED" | "EXPIRED" | "REJECTED" | "CANCELED" | "SKIPPED";
        RecipientsByReference: {
            clientRefs: string[];
        };
        RecipientsByUid: {
            /** @enum {unknown} */
            clientRefs?: null;
            recipients: string[];
        };
        RecipientsToFind: components["schemas"]["RecipientsByUid"] | components["schemas"]["RecipientsByReference"];
        Reconciliation: {
            /** Format: uuid */
            account: string;
            error: string | null;
            nightly: components["schemas"]["Report"] | null;
            now: components["schemas"]["Report"] | null;
            username: string;
        };
        Refusal: {
            code: number;
            detail: string;
            errors: {
                detail: string;
                pointer: string;
            }[];
            extra: string[];
            /** @enum {string} */
            name: "BadRequest" | "Unauthorized" | "Forbidden" | "NotFound" | "MethodNotAllowed" | "Conflict" | "PayloadTooLarge" | "UnsupportedMediaType" | "ErrorTypeValidation" | "TooManyRequests" | "InternalServerError" | "ServiceUnavailable" | "UserInactive" | "InsufficientBalance" | "DailyLimitReached" | "SmsSendNotAllowed" | "SmsHeadNumberNotFound" | "SmsPatternNoActiveVersion" | "SmsPatternHeadNumberNotAcceptable" | "SmsPatternVariableHasNoValue" | "SmsPatternVariableNotValid" | "SmsDestinationNotAllowed" | "SmsRecipientBlacklisted" | "SmsRecipientLimit" | "VerifyNotPending";
            status: number;
        };
        RemovedNumbers: {
            removed: number;
            unchanged: number;
        };
        Report: {
            checkedAt: components["schemas"]["Time"];
            differences: {
                /** @enum {string} */
                check: "LOCKED" | "LEDGER" | "WALLET" | "STUCK" | "MIRROR" | "USAGE" | "STORAGE" | "EVENTS";
                detail: string;
            }[];
            unchecked: ("LOCKED" | "LEDGER" | "WALLET" | "STUCK" | "MIRROR" | "USAGE" | "STORAGE" | "EVENTS" | "ALL")[];
        };
        RestoreInput: {
            at: string;
            reason: string;
        };
        Restored: {
            /** Format: uuid */
            account: string;
            canceled: number;
            inDoubt: number;
            restoredAt: components["schemas"]["Time"];
            undo: string;
            walletAfter: components["schemas"]["Wallet"];
            walletBefore: components["schemas"]["Wallet"];
        };
        RotatedKey: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            /** Format: int64 */
            dailySpend: number | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            ips: string[] | null;
            key: string;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            lines: string[] | null;
            /** @enum {string} */
            mode: "live" | "test";
            ratePerMinute: number | null;
            /** Format: uuid */
            replacedBy: string | null;
            replaces: {
                expiresAt: components["schemas"]["Time"] | null;
                /** Format: uuid */
                id: string;
            };
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            title: string;
        };
        RotatedOperatorKey: {
            createdAt: components["schemas"]["Time"];
            /** Format: uuid */
            createdBy: string | null;
            expiresAt: components["schemas"]["Time"] | null;
            hint: string | null;
            /** Format: uuid */
            id: string;
            key: string;
            lastAddress: string | null;
            lastUsedAt: components["schemas"]["Time"] | null;
            /** Format: uuid */
            replacedBy: string | null;
            replaces: {
                expiresAt: components["schemas"]["Time"] | null;
                /** Format: uuid */
                id: string;
            };
            revokedAt: components["schemas"]["Time"] | null;
            scopes: components["schemas"]["Scope"][];
            /** Format: uuid */
            sessionOf: string | null;
            title: string;
        };
        Rotation: {
            /** @enum {string|null} */
            form?: "PEYK" | "HEX32" | "HEX64" | null;
            graceSeconds?: number | null;
        };
        Route: {
            backup: {
                name: string;
                weight: number;
            }[];
            carriers: {
                name: string;
                weight: number;
            }[];
            prefixes: string[];
        };
        RouteInput: {
            backup?: components["schemas"]["Share"][] | null;
            carriers: components["schemas"]["Share"][];
            prefixes?: string[] | null;
        };
        RowsOfStore: {
            keys: components["schemas"]["KeyOfRowsRead"][];
            next: string | null;
            tables: components["schemas"]["RowsOfTable"][];
        };
        RowsOfTable: {
            columns: string[];
            rows: string[];
            table: string;
        };
        RowsToInsert: {
            keys?: components["schemas"]["KeyOfRows"][] | null;
            object?: string | null;
            /** @enum {string} */
            store: "DIRECTORY" | "ACCOUNT" | "WEBHOOK" | "CARRIER";
            tables: components["schemas"]["TableRows"][];
        };
        RowsWish: {
            from?: string | null;
            object?: string | null;
            /** @enum {string} */
            store: "DIRECTORY" | "ACCOUNT" | "WEBHOOK" | "CARRIER";
        };
        SandboxCarrier: {
            active: boolean;
            health: components["schemas"]["CarrierHealth"];
            /** @enum {string} */
            kind: "sandbox";
            name: string;
            paused: boolean;
            sandbox: {
                reportAfterMs?: number;
                window?: number;
            };
            waiting: components["schemas"]["Waiting"];
        };
        SandboxCarrierInput: {
            active?: boolean | null;
            /** @enum {unknown} */
            http?: null;
            /** @enum {string} */
            kind: "sandbox";
            name: string;
            paused?: boolean | null;
            sandbox?: {
                reportAfterMs?: number | null;
                window?: number | null;
            } | null;
            /** @enum {unknown} */
            smpp?: null;
        };
        SandboxItem: {
            handedAt: components["schemas"]["Time"];
            message: string;
            recipient: string;
            refused: number;
            taken: number;
            /** @enum {boolean} */
            textTruncated?: true;
            uid: string;
        };
        /** @enum {string} */
        Scope: "sms:send" | "sms:read" | "phonebook" | "pattern" | "verify" | "blacklist" | "erasure" | "account:read" | "webhook" | "keys" | "admin" | "admin:read" | "admin:money" | "admin:accounts" | "admin:carriers" | "admin:service" | "admin:metrics" | "admin:transfer";
        SendBulk: {
            blacklisted?: string | null;
            clientRef?: string | null;
            encoding?: string | null;
            messages: components["schemas"]["BulkItem"][];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
        };
        SendPattern: components["schemas"]["PatternToOne"] | components["schemas"]["PatternToMany"];
        SendSms: {
            blacklisted?: string | null;
            clientRef?: string | null;
            encoding?: string | null;
            message: string;
            recipients: components["schemas"]["WrittenPhoneNumber"][];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
        };
        SendToPhonebook: components["schemas"]["TextToPhonebook"] | components["schemas"]["TextToPhonebooks"];
        Sending: {
            changedBy: string | null;
            enabled: boolean;
            reason: string | null;
            since: components["schemas"]["Time"] | null;
        };
        SendingInput: {
            enabled: boolean;
            reason?: string | null;
        };
        /** @enum {string} */
        Sent: "CREATED";
        SentMessage: {
            clientRef: string | null;
            /** Format: int64 */
            cost: number;
            /** @enum {string} */
            encoding: "GSM7" | "UCS2";
            parts: number;
            recipients: components["schemas"]["Recipient"][];
            /** Format: int64 */
            saved?: number;
            sendAt: components["schemas"]["Time"] | null;
            skipped?: number;
            sourceNumber: string;
            status: components["schemas"]["MessageStatus"];
            text?: string;
            type: components["schemas"]["MessageType"];
            /** Format: uuid */
            uid: string;
            unit: string;
            /** @enum {string} */
            waitsFor?: "HOURS";
            waitsUntil?: components["schemas"]["Time"];
        };
        ServiceHealth: {
            carriers: {
                latencyMs: number;
                name: string;
                /** @enum {string} */
                state: "UP" | "THROTTLED" | "CONNECTING" | "DOWN" | "PAUSED" | "INACTIVE" | "UNKNOWN" | "HANGS";
            }[];
            d1: components["schemas"]["PartHealth"];
            kv: components["schemas"]["PartHealth"];
            object: components["schemas"]["PartHealth"];
            /** @enum {string} */
            status: "UP" | "DEGRADED" | "DOWN";
            storage: components["schemas"]["StorageHealth"] | null;
            version: string;
            waiting: components["schemas"]["WaitingInAll"] | null;
            worries: components["schemas"]["Worry"][];
        };
        Share: {
            name: string;
            weight?: number | null;
        };
        SignIn: {
            expiresAt: components["schemas"]["Time"];
            phone: components["schemas"]["PhoneNumber"];
            resendAt: components["schemas"]["Time"];
        };
        SignInCode: {
            account?: string | null;
            code: string;
            phone: components["schemas"]["WrittenPhoneNumber"];
        };
        SignInInput: {
            phone: components["schemas"]["WrittenPhoneNumber"];
        };
        SignInRule: {
            /** @enum {string} */
            require: "CODE" | "PASSKEY";
        };
        SignInRuleInput: {
            /** @enum {string} */
            require: "CODE" | "PASSKEY";
        };
        SmppCarrier: {
            active: boolean;
            health: components["schemas"]["CarrierHealth"];
            /** @enum {string} */
            kind: "smpp";
            name: string;
            paused: boolean;
            smpp: {
                binds?: number;
                dataCoding?: number;
                /** @enum {string} */
                defaultAlphabet?: "GSM7" | "LATIN1" | "IA5";
                host?: string;
                /** @enum {string} */
                longMessages?: "UDH" | "PAYLOAD" | "SAR";
                /** @enum {string} */
                partReports?: "AUTO" | "ALL" | "FIRST" | "LAST" | "ANY";
                port?: number;
                /** @enum {string} */
                reportIds?: "AS_IS" | "HEX" | "DECIMAL";
                /** @enum {string} */
                reportNumbers?: "EITHER" | "SOURCE" | "DESTINATION" | "NONE";
                sourceNpi?: number;
                sourceTon?: number;
                systemId?: string;
                systemType?: string;
                throughputPerSecond?: number;
                tls?: boolean;
                validitySeconds?: number;
                window?: number;
            };
            waiting: components["schemas"]["Waiting"];
        };
        SmppCarrierInput: {
            active?: boolean | null;
            /** @enum {unknown} */
            http?: null;
            /** @enum {string} */
            kind: "smpp";
            name: string;
            paused?: boolean | null;
            /** @enum {unknown} */
            sandbox?: null;
            smpp: {
                binds?: number | null;
                dataCoding?: number | null;
                /** @enum {string|null} */
                defaultAlphabet?: "GSM7" | "LATIN1" | "IA5" | null;
                host: string;
                /** @enum {string|null} */
                longMessages?: "UDH" | "PAYLOAD" | "SAR" | null;
                /** @enum {string|null} */
                partReports?: "AUTO" | "ALL" | "FIRST" | "LAST" | "ANY" | null;
                password: string;
                port?: number | null;
                /** @enum {string|null} */
                reportIds?: "AS_IS" | "HEX" | "DECIMAL" | null;
                /** @enum {string|null} */
                reportNumbers?: "EITHER" | "SOURCE" | "DESTINATION" | "NONE" | null;
                sourceNpi?: number | null;
                sourceTon?: number | null;
                systemId: string;
                systemType?: string | null;
                throughputPerSecond?: number | null;
                tls?: boolean | null;
                validitySeconds?: number | null;
                window?: number | null;
            };
        };
        StorageHealth: {
            bytes: number;
            customerBytes: number;
            maxBytes: number;
            maxCustomerBytes: number;
            /** @enum {string} */
            state: "UP" | "DEGRADED";
        };
        TableRows: {
            columns: string[];
            rows: string[];
            table: string;
        };
        TakenInbound: {
            messages: components["schemas"]["InboundMessage"][];
        };
        Tariff: {
            destinations: string[];
            maxParts: number;
            maxPhonebookRecipients: number;
            maxRecipients: number;
            plan: {
                title: string;
            };
            tariff: {
                price: number;
                prices: components["schemas"]["PriceTo"][];
                slug: string;
                title: string;
            };
            textsCoefficients: {
                ENGLISH: number;
                MCI: number;
                MTN: number;
                PATTERN: number;
                PERSIAN: number;
                WEBSERVICE: number;
                title: string;
            }[];
        };
        TestInput: components["schemas"]["ValueTest"] | components["schemas"]["PresenceTest"];
        TextCampaign: {
            budget?: number | null;
            exclude?: {
                numbers?: components["schemas"]["WrittenPhoneNumber"][] | null;
                phonebooks?: string[] | null;
            } | null;
            guard?: components["schemas"]["GuardInput"] | null;
            message: string;
            /** @enum {unknown} */
            pattern?: null;
            perMinute?: number | null;
            phonebooks: string[];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            title: string;
            unknownPlaceholders?: string | null;
            where?: {
                /** @enum {string|null} */
                match?: "ALL" | "ANY" | null;
                tests: components["schemas"]["TestInput"][];
            } | null;
            window?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
        };
        TextCampaignChange: {
            budget?: number | null;
            exclude?: {
                numbers?: components["schemas"]["WrittenPhoneNumber"][] | null;
                phonebooks?: string[] | null;
            } | null;
            guard?: components["schemas"]["GuardInput"] | null;
            message?: string;
            /** @enum {unknown} */
            pattern?: null;
            perMinute?: number | null;
            phonebooks?: string[];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            title?: string;
            unknownPlaceholders?: string | null;
            where?: {
                /** @enum {string|null} */
                match?: "ALL" | "ANY" | null;
                tests: components["schemas"]["TestInput"][];
            } | null;
            window?: {
                from: string;
                timeZone: string;
                to: string;
            } | null;
        };
        TextToPhonebook: {
            blacklisted?: string | null;
            clientRef?: string | null;
            encoding?: string | null;
            exclude?: components["schemas"]["WrittenPhoneNumber"][] | null;
            message: string;
            phonebook: string;
            /** @enum {unknown} */
            phonebooks?: null;
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            unknownPlaceholders?: string | null;
        };
        TextToPhonebooks: {
            blacklisted?: string | null;
            clientRef?: string | null;
            encoding?: string | null;
            exclude?: components["schemas"]["WrittenPhoneNumber"][] | null;
            message: string;
            /** @enum {unknown} */
            phonebook?: null;
            phonebooks: string[];
            sendAt?: components["schemas"]["TimeToCome"] | null;
            sourceNumber?: string | null;
            unknownPlaceholders?: string | null;
        };
        /** Format: date-time */
        Time: string;
        /** Format: date-time */
        TimeToCome: string;
        Transaction: {
            /** Format: int64 */
            amount: number;
            /** Format: int64 */
            availableBalance: number;
            createdAt: components["schemas"]["Time"];
            id: number;
            /** Format: int64 */
            lockedBalance: number;
            /** Format: uuid */
            message: string | null;
            note: string | null;
            /** @enum {string} */
            type: "CREDIT" | "RESERVE" | "SETTLE" | "RELEASE" | "REFUND";
            unit: string;
        };
        Transfer: {
            agreed: string | null;
            carrierObjects: string[];
            /** @enum {string} */
            direction: "NONE" | "OUT" | "IN";
            found: components["schemas"]["FoundToMove"] | null;
            sandboxes: string[];
            secret: string;
            since: components["schemas"]["Time"] | null;
            version: string;
        };
        TransferInput: {
            agreed?: string | null;
            /** @enum {string} */
            direction: "NONE" | "OUT" | "IN";
        };
        Unclaimed: {
            carrier: string;
            /** Format: date */
            day: string;
            line: string | null;
            messages: number;
            /** @enum {string} */
            reason: "UNKNOWN_LINE" | "NO_ACCOUNT" | "NO_ACCOUNT_FOR_OPT_OUT";
        };
        Unsent: {
            hasMore: boolean;
            hold: boolean;
            lines: {
                line: string;
                oldestSeconds: number;
                recipients: number;
            }[];
            reason: string | null;
            recipients: number;
            scheduled: number;
            withCarriers: number;
        };
        UsageDay: {
            /** Format: date */
            date: string;
            keys: {
                /** @enum {string} */
                by: "KEY" | "CONSOLE" | "OTHER";
                /** Format: uuid */
                key: string | null;
                live: {
                    /** Format: int64 */
                    cost: number;
                    messages: number;
                    parts: number;
                    recipients: number;
                    /** Format: int64 */
                    returned: number;
                };
                test: {
                    /** Format: int64 */
                    cost: number;
                    messages: number;
                    parts: number;
                    recipients: number;
                    /** Format: int64 */
                    returned: number;
                };
                title: string | null;
            }[];
            live: {
                /** Format: int64 */
                cost: number;
                messages: number;
                parts: number;
                pending: number;
                recipients: number;
                /** Format: int64 */
                returned: number;
                statuses: {
                    CANCELED: number;
                    DELIVERED: number;
                    EXPIRED: number;
                    REJECTED: number;
                    UNDELIVERED: number;
                    UNKNOWN: number;
                };
            };
            simulated: number;
            test: {
                /** Format: int64 */
                cost: number;
                messages: number;
                parts: number;
                pending: number;
                recipients: number;
                /** Format: int64 */
                returned: number;
                statuses: {
                    CANCELED: number;
                    DELIVERED: number;
                    EXPIRED: number;
                    REJECTED: number;
                    UNDELIVERED: number;
                    UNKNOWN: number;
                };
            };
            unit: string;
        };
        UsageSum: {
            /** @enum {string} */
            by: "day" | "account" | "line" | "carrier";
            canceled: number;
            cost: number;
            delivered: number;
            expired: number;
            key: string;
            messages: number;
            parts: number;
            recipients: number;
            rejected: number;
            returned: number;
            simulated: number;
            undelivered: number;
            unknown: number;
            username: string | null;
        };
        ValueTest: {
            attribute: string;
            /** @enum {string} */
            operator: "EQUALS" | "NOT_EQUALS" | "LESS" | "GREATER" | "CONTAINS";
            value: string;
        };
        Variable: {
            maxLength: number;
            name: string;
            secret: boolean;
            /** @enum {string} */
            type: "TEXT" | "NUMBER" | "LINK" | "ENUM";
            values: string[] | null;
        };
        VariableInput: components["schemas"]["FreeVariableInput"] | components["schemas"]["ChoiceInput"];
        Verification: {
            attemptsLeft: number;
            clientRef: string | null;
            /** Format: int64 */
            cost: number;
            createdAt: components["schemas"]["Time"];
            endedAt: components["schemas"]["Time"] | null;
            expiresAt: components["schemas"]["Time"];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            messageUid: string | null;
            purpose: string;
            recipient: string;
            resendAt: components["schemas"]["Time"] | null;
            sends: number;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "FAILED" | "EXPIRED" | "CANCELED" | "BLOCKED";
            test: boolean;
            unit: string;
        };
        VerificationCheck: {
            attemptsLeft: number;
            /** Format: uuid */
            id: string;
            proof?: string;
            purpose: string;
            recipient: string;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "FAILED" | "EXPIRED" | "CANCELED" | "BLOCKED";
            verified: boolean;
        };
        VerificationInput: {
            appHash?: string | null;
            clientRef?: string | null;
            codeLength?: number | null;
            context?: components["schemas"]["VerifyContext"] | null;
            domain?: string | null;
            /** @enum {string|null} */
            language?: "fa" | "en" | null;
            maxAttempts?: number | null;
            pattern?: string | null;
            purpose?: string | null;
            recipient: components["schemas"]["WrittenPhoneNumber"];
            sourceNumber?: string | null;
            ttlSeconds?: number | null;
            variables?: {
                [key: string]: string | number | null;
            } | unknown[] | null;
        };
        VerifyContext: {
            ip?: string | null;
        };
        VerifyPausedEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                approved: number;
                ended: number;
                prefix: string;
                until: components["schemas"]["Time"];
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "verify.paused";
        };
        VerifyStats: {
            /** @enum {string} */
            by: "day" | "prefix" | "line" | "carrier";
            /** Format: date */
            from: string;
            rows: components["schemas"]["VerifyStatsRow"][];
            /** Format: date */
            to: string;
        };
        VerifyStatsRow: {
            approved: number;
            blocked: number;
            checked: number;
            medianSeconds: number | null;
            name: string;
            pausedUntil: components["schemas"]["Time"] | null;
            sent: number;
            started: number;
        };
        VerifyStatusEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                clientRef: string | null;
                /** Format: uuid */
                id: string;
                purpose: string;
                recipient: string;
                /** @enum {string} */
                status: "APPROVED" | "FAILED" | "EXPIRED" | "CANCELED" | "BLOCKED";
                test: boolean;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "verify.status";
        };
        Waiting: {
            oldestSeconds: number | null;
            outdated: boolean;
            recipients: number;
        };
        WaitingInAll: {
            codesOldestSeconds: number | null;
            oldestSeconds: number | null;
            outdated: boolean;
            recipients: number;
        };
        Wallet: {
            /** Format: int64 */
            availableBalance: number;
            /** Format: int64 */
            lockedBalance: number;
            /** Format: int64 */
            totalBalance: number;
            unit: string;
        };
        WalletLowEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                /** Format: int64 */
                availableBalance: number;
                /** Format: int64 */
                threshold: number;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wallet.low";
        };
        WebhookDisabledEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                endpoint: string;
                /** @enum {string} */
                reason: "GONE" | "FAILING";
                /** Format: uri */
                url: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.disabled";
        };
        WebhookEvent: components["schemas"]["MessageStatusEvent"] | components["schemas"]["MessageSubmittedEvent"] | components["schemas"]["MessageReceivedEvent"] | components["schemas"]["WalletLowEvent"] | components["schemas"]["VerifyStatusEvent"] | components["schemas"]["VerifyPausedEvent"] | components["schemas"]["CampaignPausedEvent"] | components["schemas"]["CampaignStoppedEvent"] | components["schemas"]["CampaignDoneEvent"] | components["schemas"]["PatternReviewedEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookTestEvent"];
        WebhookTestEvent: {
            createdAt: components["schemas"]["Time"];
            data: {
                endpoint: string;
            };
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
        };
        Worry: {
            about: string | null;
            /** @enum {string} */
            code: "D1_FULL" | "OBJECT_FULL" | "ACCOUNT_FULL" | "EVENTS_LATE" | "CODES_LATE" | "ACCOUNT_SILENT" | "CARRIER_DOWN" | "CARRIER_HANGS" | "CARRIER_THROTTLED" | "BINDS_MISSING" | "REPORTS_STOPPED" | "LINE_WITHOUT_WAY" | "MONEY_DIFFERS" | "COPIES_DIFFER" | "ERASURE_LATE";
            text: string;
            urgent: boolean;
        };
        WrittenPhoneNumber: string;
    };
    responses: never;
    parameters: {
        AcceptLanguage: string;
        Cursor: string;
        IdempotencyKey: string;
        Limit: number;
        RequestId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHome: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: never;
    };
    getProofKeys: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofKeys"];
                };
            };
        };
    };
    getAccountInfo: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountInfo"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    changeAccountInfo: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountSettingsInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountSettings"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getLowBalance: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LowBalance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setLowBalance: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LowBalanceInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LowBalance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getOutcomes: {
        parameters: {
            query?: {
                from?: components["schemas"]["Time"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Outcomes"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                type?: "CREDIT" | "RESERVE" | "SETTLE" | "RELEASE" | "REFUND";
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                message?: string;
                format?: "json" | "csv";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Transaction"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getUnsent: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Unsent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUsage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageDay"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminListAccounts: {
        parameters: {
            query?: {
                q?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountSummary"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminCreateAccount: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetAccount: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminCloseAccount: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    adminChangeAccount: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminCancelAll: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CanceledAll"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminLookAtAccount: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConsoleLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminAddCredit: {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credit"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Credited"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingCredit"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListKeys: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Key"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminIssueKey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRevokeKey: {
        parameters: {
            query?: {
                cascade?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                key: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cascade"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    adminRotateKey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                key: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RotatedKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetLowBalance: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LowBalance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminSetLowBalance: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LowBalanceInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LowBalance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListAccountMembers: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminAddAccountMember: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountMemberInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRemoveAccountMember: {
        parameters: {
            query?: {
                cascade?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                member: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cascade"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    adminInviteAccountMember: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                member: string;
            };
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListMessages: {
        parameters: {
            query?: {
                status?: "SCHEDULED" | "QUEUED" | "SENDING" | "DONE" | "CANCELED";
                type?: "PLAIN" | "PATTERN" | "PHONEBOOK" | "BULK" | "VERIFY" | "SIGN_IN";
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                recipient?: components["schemas"]["WrittenPhoneNumber"];
                clientRef?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminGetMessage: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                uid: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListRecipients: {
        parameters: {
            query?: {
                status?: "SCHEDULED" | "QUEUED" | "UNKNOWN" | "SUBMITTED" | "DELIVERED" | "UNDELIVERED" | "EXPIRED" | "REJECTED" | "CANCELED" | "SKIPPED";
                recipient?: components["schemas"]["WrittenPhoneNumber"];
                error?: "ABSENT_SUBSCRIBER" | "UNKNOWN_SUBSCRIBER" | "BLOCKED" | "CONTENT_REFUSED" | "SENDER_REFUSED" | "EXPIRED" | "NO_REPORT" | "BLACKLISTED" | "NOT_A_DESTINATION" | "TEXT_NOT_SENDABLE" | "RECIPIENT_LIMIT" | "CARRIER_ERROR";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                uid: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorsRecipient"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminApprovePattern: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                slug: string;
                n: number;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRefusePattern: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                slug: string;
                n: number;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatternRefusal"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRestoreAccount: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Restored"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListSandbox: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SandboxItem"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminListTransactions: {
        parameters: {
            query?: {
                type?: "CREDIT" | "RESERVE" | "SETTLE" | "RELEASE" | "REFUND";
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                message?: string;
                format?: "json" | "csv";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Transaction"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    adminGetUnsent: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Unsent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListWebhooks: {
        parameters: {
            query?: {
                mode?: "live" | "test";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Endpoint"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminListDeliveries: {
        parameters: {
            query?: {
                mode?: "live" | "test";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                webhook: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminListAudit: {
        parameters: {
            query?: {
                account?: string;
                key?: string;
                operation?: "GetHome" | "GetHealth" | "GetProofKeys" | "GetDeliveryReport" | "PostDeliveryReport" | "GetInboundMessage" | "PostInboundMessage" | "SendSms" | "SendPattern" | "SendToPhonebook" | "SendBulk" | "EstimateSend" | "StartVerification" | "FindVerifications" | "CheckVerification" | "GetVerifyStats" | "GetVerification" | "CancelVerification" | "ListMessages" | "GetMessage" | "CancelMessage" | "PauseMessage" | "ResumeMessage" | "FindRecipients" | "ListRecipients" | "ListInbound" | "TakeInbound" | "CreateCampaign" | "ListCampaigns" | "GetCampaign" | "ListCampaignRecipients" | "ChangeCampaign" | "DeleteCampaign" | "StartCampaign" | "PauseCampaign" | "ResumeCampaign" | "CancelCampaign" | "ResendCampaign" | "CreatePhonebook" | "ListPhonebooks" | "GetPhonebook" | "ChangePhonebook" | "DeletePhonebook" | "ImportNumbers" | "ExportNumbers" | "AddNumbers" | "ListNumbers" | "ChangeNumber" | "DeleteNumber" | "ChangePhonebookInBody" | "DeletePhonebookInQuery" | "CreatePattern" | "ListPatterns" | "GetPattern" | "ChangePattern" | "DeletePattern" | "CreatePatternVersion" | "ActivatePatternVersion" | "DeactivatePattern" | "ListBlacklist" | "AddToBlacklist" | "RemoveFromBlacklist" | "GetHeld" | "StartErasure" | "ListErasures" | "GetErasure" | "GetAccountInfo" | "ChangeAccountInfo" | "ListTransactions" | "ListUsage" | "GetOutcomes" | "GetUnsent" | "GetLowBalance" | "SetLowBalance" | "GetTariff" | "ListLines" | "IssueKey" | "ListKeys" | "RevokeKey" | "RotateKey" | "CreateWebhook" | "ListWebhooks" | "GetWebhook" | "ChangeWebhook" | "DeleteWebhook" | "RotateWebhookSecret" | "TestWebhook" | "ListDeliveries" | "GetDelivery" | "RedeliverEvent" | "OpenConsoleSession" | "GetConsoleSession" | "EndConsoleSession" | "SwitchConsoleAccount" | "StartSignIn" | "CheckSignIn" | "UseConsoleLink" | "StartPasskey" | "SignInByPasskey" | "ListPasskeys" | "AddPasskey" | "RenamePasskey" | "RemovePasskey" | "MakeConsoleLink" | "AddMember" | "ListMembers" | "ChangeMember" | "MakeMemberLink" | "InviteMember" | "GetSignInRule" | "SetSignInRule" | "RemoveMember" | "AdminCreateAccount" | "AdminListAccounts" | "AdminGetAccount" | "AdminChangeAccount" | "AdminCloseAccount" | "AdminGetUnsent" | "AdminCancelAll" | "AdminStartErasure" | "AdminListErasures" | "AdminGetErasure" | "AdminAddCredit" | "AdminListCredits" | "AdminApproveCredit" | "AdminRejectCredit" | "AdminRestoreAccount" | "AdminGetLowBalance" | "AdminSetLowBalance" | "AdminIssueKey" | "AdminListKeys" | "AdminRevokeKey" | "AdminRotateKey" | "AdminIssueOperatorKey" | "AdminListOperatorKeys" | "AdminAddMember" | "AdminListMembers" | "AdminChangeMember" | "AdminMakeMemberLink" | "AdminRemoveMember" | "AdminAddAccountMember" | "AdminListAccountMembers" | "AdminInviteAccountMember" | "AdminRemoveAccountMember" | "AdminLookAtAccount" | "AdminFindKey" | "AdminRevokeOperatorKey" | "AdminRotateOperatorKey" | "AdminListSandbox" | "AdminListMessages" | "AdminGetMessage" | "AdminListTransactions" | "AdminListWebhooks" | "AdminListDeliveries" | "AdminListRecipients" | "AdminListPendingPatterns" | "AdminApprovePattern" | "AdminRefusePattern" | "AdminCreateCarrier" | "AdminListCarriers" | "AdminGetCarrier" | "AdminChangeCarrier" | "AdminRotateCallback" | "AdminDeleteCarrier" | "AdminCreateLine" | "AdminListLines" | "AdminGetLine" | "AdminChangeLine" | "AdminDeleteLine" | "AdminGetLineInbound" | "AdminSetLineInbound" | "AdminListUnclaimed" | "AdminCreatePlan" | "AdminListPlans" | "AdminChangePlan" | "AdminGetSending" | "AdminSwitchSending" | "AdminGetUsage" | "AdminGetHealth" | "GetMetrics" | "AdminGetTransfer" | "AdminSetTransfer" | "AdminChangeObjects" | "AdminReadRows" | "AdminInsertRows" | "AdminReconcile" | "AdminListAudit" | "AdminReadAuditFeed" | "AdminListDeadLetters" | "AdminRetryDeadLetter";
                thing?: "account" | "blacklist" | "campaign" | "carrier" | "credit" | "deadLetter" | "erasure" | "frozen" | "inbound" | "key" | "line" | "lineInbound" | "member" | "message" | "passkey" | "pattern" | "phonebook" | "plan" | "restore" | "sending" | "transfer" | "webhook";
                thingId?: string;
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminReadAuditFeed: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminListCarriers: {
        parameters: {
            query?: {
                q?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Carrier"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminCreateCarrier: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CarrierInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Carrier"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetCarrier: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Carrier"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminDeleteCarrier: {
        parameters: {
            query?: {
                force?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    adminChangeCarrier: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CarrierChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Carrier"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRotateCallback: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Carrier"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListCredits: {
        parameters: {
            query?: {
                status?: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingCredit"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminApproveCredit: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingCredit"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRejectCredit: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingCredit"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListDeadLetters: {
        parameters: {
            query?: {
                account?: string;
                kind?: "GIVEN_UP" | "STUCK";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeadLetter"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminRetryDeadLetter: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: number;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeadLetter"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListErasures: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminStartErasure: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureInput"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetErasure: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetHealth: {
        parameters: {
            query?: {
                probe?: "strict";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ServiceHealth"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListUnclaimed: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Unclaimed"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminListOperatorKeys: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorKey"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminIssueOperatorKey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorKeyInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedOperatorKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminFindKey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyToFind"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FoundKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRevokeOperatorKey: {
        parameters: {
            query?: {
                cascade?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                key: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cascade"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    adminRotateOperatorKey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                key: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RotatedOperatorKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListLines: {
        parameters: {
            query?: {
                q?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Line"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminCreateLine: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LineInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Line"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetLine: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                number: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Line"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminDeleteLine: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                number: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    adminChangeLine: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                number: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnyLineChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Line"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetLineInbound: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                number: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LineInbound"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminSetLineInbound: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                number: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LineInboundInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LineInbound"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListMembers: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorMember"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminAddMember: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorMemberInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorMember"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminRemoveMember: {
        parameters: {
            query?: {
                cascade?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cascade"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    adminChangeMember: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorMemberChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorMember"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminMakeMemberLink: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConsoleLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminListPendingPatterns: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingVersion"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminListPlans: {
        parameters: {
            query?: {
                q?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Plan"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminCreatePlan: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Plan"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminChangePlan: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Plan"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminReconcile: {
        parameters: {
            query?: {
                account?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reconciliation"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    adminGetSending: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Sending"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminSwitchSending: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendingInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Sending"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetTransfer: {
        parameters: {
            query?: {
                counts?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Transfer"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminSetTransfer: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Transfer"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminInsertRows: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowsToInsert"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InsertedRows"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminChangeObjects: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectsChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MovedObjects"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminReadRows: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowsWish"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RowsOfStore"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    adminGetUsage: {
        parameters: {
            query?: {
                by?: "day" | "account" | "line" | "carrier";
                from?: string;
                to?: string;
                account?: string;
                line?: string;
                carrier?: string;
                mode?: "live" | "test";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageSum"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    listBlacklist: {
        parameters: {
            query?: {
                number?: components["schemas"]["WrittenPhoneNumber"];
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BlockedNumber"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    addToBlacklist: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Numbers"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AddedNumbers"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    removeFromBlacklist: {
        parameters: {
            query?: {
                number?: components["schemas"]["WrittenPhoneNumber"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Numbers"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RemovedNumbers"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Campaign"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    cancelCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                status?: "SCHEDULED" | "QUEUED" | "UNKNOWN" | "SUBMITTED" | "DELIVERED" | "UNDELIVERED" | "EXPIRED" | "REJECTED" | "CANCELED" | "SKIPPED";
                recipient?: components["schemas"]["WrittenPhoneNumber"];
                error?: "ABSENT_SUBSCRIBER" | "UNKNOWN_SUBSCRIBER" | "BLOCKED" | "CONTENT_REFUSED" | "SENDER_REFUSED" | "EXPIRED" | "NO_REPORT" | "BLACKLISTED" | "NOT_A_DESTINATION" | "TEXT_NOT_SENDABLE" | "RECIPIENT_LIMIT" | "CARRIER_ERROR";
                format?: "json" | "csv";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecipientState"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    resendCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    startCampaign: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CampaignDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDeliveryReport: {
        parameters: {
            query: {
                t: string;
                status?: string;
                answer?: string;
                message_status?: string;
                level?: string;
                err?: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "" | "ACK/Jasmin";
                };
            };
        };
    };
    postDeliveryReport: {
        parameters: {
            query: {
                t: string;
                status?: string;
                answer?: string;
                message_status?: string;
                level?: string;
                err?: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    answer?: string;
                    err?: string;
                    level?: string;
                    message_status?: string;
                    status?: string;
                    t?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "" | "ACK/Jasmin";
                };
            };
        };
    };
    getInboundMessage: {
        parameters: {
            query: {
                k: string;
                from: string;
                to: string;
                text?: string;
                id?: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "" | "ACK/Jasmin";
                };
            };
        };
    };
    postInboundMessage: {
        parameters: {
            query: {
                k: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                name: string;
            };
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    binary?: string;
                    coding?: string;
                    content?: string;
                    from?: string;
                    id?: string;
                    "origin-connector"?: string;
                    text?: string;
                    to?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "" | "ACK/Jasmin";
                };
            };
        };
    };
    makeConsoleLink: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConsoleLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Passkeys"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Passkey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    startPasskey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyChallenge"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renamePasskey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Passkey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getConsoleSession: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConsoleSession"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    openConsoleSession: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endConsoleSession: {
        parameters: {
            query?: {
                everywhere?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    switchConsoleAccount: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChoice"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    startSignIn: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignIn"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    checkSignIn: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInCode"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    useConsoleLink: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkCode"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signInByPasskey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listErasures: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    startErasure: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureInput"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getErasure: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getHealth: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Health"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getHeld: {
        parameters: {
            query: {
                number: components["schemas"]["WrittenPhoneNumber"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Held"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listInbound: {
        parameters: {
            query?: {
                line?: string;
                from?: components["schemas"]["WrittenPhoneNumber"] | string;
                since?: components["schemas"]["Time"];
                until?: components["schemas"]["Time"];
                taken?: "true" | "false";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboundMessage"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    takeInbound: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboundToTake"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TakenInbound"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnKey"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    issueKey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnKeyInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                cascade?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cascade"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotateKey: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RotatedKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLines: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnLine"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    addMember: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountMemberInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getSignInRule: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInRule"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    setSignInRule: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRuleInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInRule"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: {
                cascade?: "true" | "false";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Cascade"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeMember: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountMemberChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    makeMemberLink: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConsoleLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                status?: "SCHEDULED" | "QUEUED" | "SENDING" | "DONE" | "CANCELED";
                type?: "PLAIN" | "PATTERN" | "PHONEBOOK" | "BULK" | "VERIFY" | "SIGN_IN";
                from?: components["schemas"]["Time"];
                to?: components["schemas"]["Time"];
                recipient?: components["schemas"]["WrittenPhoneNumber"];
                clientRef?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    findRecipients: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientsToFind"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FoundRecipients"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMessage: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                uid: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                uid: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CanceledMessage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    pauseMessage: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                uid: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listRecipients: {
        parameters: {
            query?: {
                status?: "SCHEDULED" | "QUEUED" | "UNKNOWN" | "SUBMITTED" | "DELIVERED" | "UNDELIVERED" | "EXPIRED" | "REJECTED" | "CANCELED" | "SKIPPED";
                recipient?: components["schemas"]["WrittenPhoneNumber"];
                error?: "ABSENT_SUBSCRIBER" | "UNKNOWN_SUBSCRIBER" | "BLOCKED" | "CONTENT_REFUSED" | "SENDER_REFUSED" | "EXPIRED" | "NO_REPORT" | "BLACKLISTED" | "NOT_A_DESTINATION" | "TEXT_NOT_SENDABLE" | "RECIPIENT_LIMIT" | "CARRIER_ERROR";
                format?: "json" | "csv";
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                uid: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecipientState"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    resumeMessage: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                uid: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    listPatterns: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createPattern: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatternInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getPattern: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    changePattern: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatternChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deletePattern: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deactivatePattern: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createPatternVersion: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                slug: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatternVersionInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PatternVersion"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    activatePatternVersion: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                slug: string;
                n: number;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Pattern"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listPhonebooks: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Phonebook"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    changePhonebookInBody: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhonebookChangeById"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Phonebook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    createPhonebook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhonebookInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Phonebook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deletePhonebookInQuery: {
        parameters: {
            query: {
                id: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listNumbers: {
        parameters: {
            query?: {
                q?: string;
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                phonebookId: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Number"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    addNumbers: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                phonebookId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddNumbers"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AddedToPhonebook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    changeNumber: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                phonebookId: string;
                numberId: number;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NumberChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Number"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteNumber: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                phonebookId: string;
                numberId: number;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPhonebook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Phonebook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    changePhonebook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhonebookChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Phonebook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deletePhonebook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exportNumbers: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    importNumbers: {
        parameters: {
            query?: {
                number?: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportedNumbers"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getTariff: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tariff"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    sendBulk: {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBulk"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentMessage"];
                        meta: components["schemas"]["Meta"];
                        status: components["schemas"]["Sent"];
                    };
                };
            };
        };
    };
    estimateSend: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateSend"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Estimate"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    sendPattern: {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendPattern"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentMessage"];
                        meta: components["schemas"]["Meta"];
                        status: components["schemas"]["Sent"];
                    };
                };
            };
        };
    };
    sendToPhonebook: {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendToPhonebook"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentMessage"];
                        meta: components["schemas"]["Meta"];
                        status: components["schemas"]["Sent"];
                    };
                };
            };
        };
    };
    sendSms: {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendSms"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentMessage"];
                        meta: components["schemas"]["Meta"];
                        status: components["schemas"]["Sent"];
                    };
                };
            };
        };
    };
    findVerifications: {
        parameters: {
            query: {
                recipient: components["schemas"]["WrittenPhoneNumber"];
                purpose?: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingVerifications"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    startVerification: {
        parameters: {
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerificationInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Verification"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    checkVerification: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckVerification"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VerificationCheck"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getVerifyStats: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                by?: "day" | "prefix" | "line" | "carrier";
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["VerifyStats"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getVerification: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Verification"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    cancelVerification: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Verification"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Endpoint"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointWithSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Endpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Endpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                deliveryId: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeliveryWithRequest"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    redeliverEvent: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
                deliveryId: string;
            };
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndpointWithSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            header?: {
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    onCampaignDoneEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignDoneEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignPausedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignPausedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignStoppedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignStoppedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageReceivedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageReceivedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageStatusEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageStatusEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageSubmittedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSubmittedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPatternReviewedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatternReviewedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVerifyPausedEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyPausedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVerifyStatusEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyStatusEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletLowEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletLowEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabledEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDisabledEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTestEvent: {
        parameters: {
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
