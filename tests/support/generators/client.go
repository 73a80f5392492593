// A client that knows nothing of Peyk but what openapi-generator makes of openapi.json for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"made"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	number := os.Getenv("NUMBER")
	configuration := made.NewConfiguration()
	configuration.Servers = made.ServerConfigurations{{URL: os.Getenv("BASE")}}
	client := made.NewAPIClient(configuration)
	key := context.WithValue(context.Background(), made.ContextAccessToken, os.Getenv("KEY"))

	sent, _, err := client.SendingAPI.SendSms(key).SendSms(*made.NewSendSms("سلام", []string{number})).Execute()
	must(err)
	toOne := made.NewPatternToOne("login", number)
	otp := "48213"
	values := map[string]made.BulkPatternVariablesAnyOfValue{"OTP": {String: &otp}}
	toOne.SetVariables(made.BulkPatternVariables{MapmapOfStringBulkPatternVariablesAnyOfValue: &values})
	pattern := made.PatternToOneAsSendPattern(toOne)
	texted, _, err := client.SendingAPI.SendPattern(key).SendPattern(pattern).IdempotencyKey("login-1").Execute()
	must(err)
	begun, _, err := client.VerifyAPI.StartVerification(key).VerificationInput(*made.NewVerificationInput(number)).Execute()
	must(err)
	code := made.CodeOfIdAsCheckVerification(made.NewCodeOfId("0000", begun.Data.Id))
	checked, _, err := client.VerifyAPI.CheckVerification(key).CheckVerification(code).Execute()
	must(err)
	_, _, err = client.SendingAPI.SendSms(key).SendSms(*made.NewSendSms("سلام", []string{"0912"})).Execute()
	// Each route names its errors, so each has a type of its own. The body is that of all.
	var problem made.Problem
	must(json.Unmarshal(err.(*made.GenericOpenAPIError).Body(), &problem))

	outcome, err := json.Marshal(map[string]interface{}{
		"cost":     sent.Data.Cost,
		"to":       sent.Data.Recipients[0].Recipient,
		"type":     texted.Data.Type,
		"status":   begun.Data.Status,
		"verified": checked.Data.Verified,
		"code":     problem.Code,
		"place":    problem.Errors[0].Pointer,
	})
	must(err)
	fmt.Println(string(outcome))
}
