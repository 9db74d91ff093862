// A whole sale with nothing but a client that oapi-codegen generated from the interface description, in the package placard beside
// this file. Its only argument is the origin. Ends with a sentence and 1 at the first answer that is not what the description says.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	. "sale/placard"
)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
const patience = 30 * time.Second

var ctx = context.Background()
var origin = os.Args[1]

func main() {
	person := client("Cookie", signIn())
	site := expect(person.WorkspacesCreateWithResponse(ctx, nil, WorkspacesCreateBody{Name: "Go Weekly"})).JSON200
	ws := site.Id
	key := client("Authorization", "Bearer "+expect(person.ApiKeysCreateWithResponse(ctx, ws, NewKey{Name: "Sale"})).JSON200.Key)
	anybody := client("User-Agent", browser)

	month := IntervalMonth
	tier := expect(key.TiersCreateWithResponse(ctx, ws, &TiersCreateParams{IdempotencyKey: to("the-only-tier")}, TiersCreateBody{
		Name: "Sidebar", Weight: 2.5, InitialPrices: []NewPrice{{Amount: 4900, IntervalCount: 1, Interval: &month, Currency: "eur"}},
	})).JSON200
	same("the weight", tier.Weight, 2.5)

	var text, number FieldsCreateBody
	must(text.FromNewTextField(NewTextField{Name: "Tagline", Type: "Text", IsRequired: to(true), MaxLength: to(60)}))
	must(number.FromNewNumberField(NewNumberField{Name: "Price", Type: "Number", Min: to(0.0)}))
	tagline := expect(key.FieldsCreateWithResponse(ctx, ws, nil, text)).JSON200
	price := expect(key.FieldsCreateWithResponse(ctx, ws, nil, number)).JSON200
	same("the type", price.Type, FieldTypeNumber)

	session := expect(anybody.CheckoutCreateWithResponse(ctx, ws, nil, CheckoutCreateBody{
		TierPriceId: tier.Prices[0].Id, Email: to("ads@coffee.example"),
	})).JSON200.SessionId
	post("/sandbox/checkout/"+session+"/complete", map[string]string{"email": "ads@coffee.example"})
	same("the session", expect(anybody.CheckoutGetWithResponse(ctx, session)).JSON200.Status, CheckoutGetAnswerStatusComplete)

	submit := func(words string) *CheckoutSubmitResponse {
		values := []SubmittedValue{{FieldId: tagline.Id, Value: words}, {FieldId: price.Id, Value: 4.5}}
		return answered(anybody.CheckoutSubmitWithResponse(ctx, session, CheckoutSubmitBody{
			Name: "Example Coffee", WebsiteUrl: "https://coffee.example", Meta: &values,
		}))
	}
	same("the cause of the refusal", submit(string(bytes.Repeat([]byte("x"), 61))).JSON422.Data.Reason, "INVALID_FIELD_VALUE")
	same("the status of the submission", submit("Fresh coffee").JSON200.Status, AdStatusPending)

	waiting := expect(key.AdsListWithResponse(ctx, ws, &AdsListParams{Status: to(AdStatusPending)})).JSON200.Items
	seen := expect(key.AdsGetWithResponse(ctx, ws, waiting[0].Id, nil)).JSON200
	stale := answered(key.AdsApproveWithResponse(ctx, ws, seen.Id, nil, ApproveBody{Version: to(seen.Version + 1)}))
	same("the cause of the conflict", stale.JSON409.Data.Reason, "SUBMITTED_SINCE")
	approved := expect(key.AdsApproveWithResponse(ctx, ws, seen.Id, nil, ApproveBody{Version: &seen.Version})).JSON200
	same("the status", approved.Status, AdStatusApproved)

	var ad ServingAd
	until("the ad on the page", func() bool {
		narrowed := ServingAdsParams{TierId: &[]string{tier.Id, "tier_other"}, WeightGte: to(2.0), Count: to(3)}
		ads := expect(anybody.ServingAdsWithResponse(ctx, ws, &narrowed)).JSON200.Ads
		if len(ads) == 1 {
			ad = ads[0]
		}
		return len(ads) == 1
	})
	same("the value on the page", ad.Meta["tagline"], any("Fresh coffee"))
	same("the impression", expect(anybody.ServingImpressionWithResponse(ctx, ad.Id, nil)).JSON200.Success, true)
	same("the click", expect(anybody.ServingClickWithResponse(ctx, ad.Id, nil)).JSON200.Success, true)
	until("the impression and the click in the stats", func() bool {
		totals := expect(key.AdsStatsWithResponse(ctx, ws, ad.Id, &AdsStatsParams{Days: to(7)})).JSON200.Totals
		return totals.Impressions == 1 && totals.Clicks == 1
	})

	var invoice Invoice
	until("the paid invoice", func() bool {
		paid := InvoiceStatusPaid
		items := expect(key.InvoicesListWithResponse(ctx, ws, &InvoicesListParams{Status: &paid})).JSON200.Items
		if len(items) > 0 {
			invoice = items[0]
		}
		return len(items) > 0
	})
	refund := func(body InvoicesRefundBody) *InvoicesRefundResponse {
		return answered(key.InvoicesRefundWithResponse(ctx, ws, invoice.Id, nil, body))
	}
	same("what was refunded", refund(InvoicesRefundBody{Amount: to(int64(900))}).JSON200.AmountRefunded, 900)
	same("what was refunded in all", refund(InvoicesRefundBody{}).JSON200.AmountRefunded, 4900)
	same("the cause of the last refusal", refund(InvoicesRefundBody{}).JSON409.Data.Reason, "NOTHING_TO_REFUND")

	fmt.Println("A tier was made, sold, approved, shown, counted and refunded with the client in Go.")
}

func client(header, value string) *ClientWithResponses {
	made, err := NewClientWithResponses(origin+"/v1", WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set(header, value)
		return nil
	}))
	must(err)
	return made
}

// A person's session, as the introduction says how to get one.
func signIn() string {
	person := map[string]string{"name": "Sam Example", "email": "sam.go@example.com", "password": "correct horse battery"}
	post("/api/auth/sign-up/email", person)
	cookies := ""
	for _, cookie := range post("/api/auth/sign-in/email", person).Cookies() {
		cookies += cookie.Name + "=" + cookie.Value + "; "
	}
	return cookies
}

func post(path string, body any) *http.Response {
	sent, err := json.Marshal(body)
	must(err)
	answer, err := http.Post(origin+path, "application/json", bytes.NewReader(sent))
	must(err)
	same(path, answer.StatusCode, 200)
	return answer
}

type response interface{ StatusCode() int }

func answered[T response](answer T, err error) T {
	must(err)
	return answer
}

func expect[T response](answer T, err error) T {
	must(err)
	if answer.StatusCode() != 200 {
		fail(fmt.Sprintf("a success was expected, and this came: %+v", answer))
	}
	return answer
}

// What `is` reads arrives a moment after its cause.
func until(what string, is func() bool) {
	for deadline := time.Now().Add(patience); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			fail(what + " did not come")
		}
	}
}

func same[T comparable](what string, isNow, shouldBe T) {
	if isNow != shouldBe {
		fail(fmt.Sprintf("%s is %v instead of %v", what, isNow, shouldBe))
	}
}

func must(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(sentence string) {
	fmt.Fprintln(os.Stderr, sentence)
	os.Exit(1)
}

func to[T any](value T) *T { return &value }
