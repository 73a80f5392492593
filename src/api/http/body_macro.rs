//! The macro that declares the objects of bodies. A member is one line; from it come its reader, its faults and its schema.

/// Declares objects of bodies: each member in one place, from which come its reader, its faults and its schema. The comments
/// are the descriptions in the document.
///
/// ```text
/// body! {
///     /// A plan to create.
///     pub struct NewPlan {
///         /// The name of the plan.
///         slug: String = must "slug" text(64) => "default";
///         refunds: Option<Vec<RecipientStatus>> = can "refunds" list_of(refund(), 0, 2);
///         weight: i64 = can "weight" integer(1, 1_000), or 1;
///     }
/// }
/// ```
///
/// A line has the field and its type, how the member is there, its name, its [`Form`], what it is if it is left out, and an
/// example. `must`: it is required, and empty after a fault. `needs`: it is required, and `None` after a fault. `can`: it may
/// be left out, and `null` means the same. `may`: it may be left out, but not be `null`. `all`: it is no member, but has
/// members that the object shares with others.
#[macro_export]
macro_rules! body {
    ($(
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $body:ident $(=> $sample:tt)? {
            $(
                $(#[doc = $text:literal])*
                $field:ident: $type:ty = $presence:ident
                    $($name:literal $form:expr $(, or $default:expr)? $(=> $example:tt)?)?;
            )+
        }
    )+) => {$(
        $(#[doc = $about])*
        #[derive(Debug $(, $($derive),+)?)]
        #[allow(missing_docs, reason = "what a name says needs no text in the document either")]
        $vis struct $body {
            $($(#[doc = $text])* pub $field: $type,)+
        }

        impl $crate::api::http::json_fields::Body for $body {
            fn read_part(fields: &mut $crate::api::http::json_fields::Fields<'_>) -> Self {
                $body {
                    $($field: $crate::body!(@read fields $presence $type $(, $name, $form $(, $default)?)?),)+
                }
            }

            #[allow(clippy::vec_init_then_push, reason = "each member adds what it has")]
            fn names() -> Vec<&'static str> {
                let mut names = Vec::new();
                $($crate::body!(@name names $type $(, $name)?);)+
                names
            }

            #[allow(clippy::vec_init_then_push, reason = "each member adds what it has")]
            fn members() -> Vec<$crate::api::http::json_schema::Member> {
                let mut members = Vec::new();
                $($crate::body!(@member members $presence $type, [$($text),*] $(, $name, $form, [$($default)?] [$($example)?])?);)+
                members
            }
        }

        impl $crate::api::http::json_schema::Described for $body {
            const NAME: &'static str = stringify!($body);

            fn schema() -> $crate::api::http::json_schema::Schema {
                let schema = $crate::api::http::json_schema::object(<$body as $crate::api::http::json_fields::Body>::members());
                $crate::body!(@text schema, [$($about),*] [$($sample)?])
            }
        }
    )+};
    (@read $fields:ident all $type:ty) => {
        <$type as $crate::api::http::json_fields::Body>::read_part($fields)
    };
    (@read $fields:ident can $type:ty, $name:literal, $form:expr, $default:expr) => {
        $fields.can($name, &$form).unwrap_or($default)
    };
    (@read $fields:ident $presence:ident $type:ty, $name:literal, $form:expr) => {
        $fields.$presence($name, &$form)
    };
    (@name $names:ident $type:ty) => {
        $names.extend(<$type as $crate::api::http::json_fields::Body>::names())
    };
    (@name $names:ident $type:ty, $name:literal) => {
        $names.push($name)
    };
    (@member $members:ident all $type:ty, []) => {
        $members.extend(<$type as $crate::api::http::json_fields::Body>::members())
    };
    (@member $members:ident $presence:ident $type:ty, $texts:tt, $name:literal, $form:expr, [$default:expr] $example:tt) => {{
        let schema = $crate::api::http::forms::Form::schema(&$form).with("default", serde_json::json!($default));
        $members.push($crate::body!(@presence $presence)($name, $crate::body!(@text schema, $texts $example)));
    }};
    (@member $members:ident $presence:ident $type:ty, $texts:tt, $name:literal, $form:expr, [] $example:tt) => {{
        let schema = $crate::api::http::forms::Form::schema(&$form);
        $members.push($crate::body!(@presence $presence)($name, $crate::body!(@text schema, $texts $example)));
    }};
    (@presence needs) => { $crate::api::http::json_schema::must };
    (@presence $presence:ident) => { $crate::api::http::json_schema::$presence };
    (@text $schema:ident, [] []) => { $schema };
    (@text $schema:ident, [] [$example:tt]) => { $schema.like(serde_json::json!($example)) };
    (@text $schema:ident, [$($text:literal),+] []) => { $schema.about_lines(&[$($text),+]) };
    (@text $schema:ident, [$($text:literal),+] [$example:tt]) => {
        $schema.about_lines(&[$($text),+]).like(serde_json::json!($example))
    };
}

/// Declares bodies that may have one of several forms, for the document: a type for the row of a route, its name, whether `exactly_one`
/// of the forms or `any_of` them describes a body, and the forms.
///
/// ```text
/// either! {
///     /// Recipients to find.
///     pub struct RecipientsToFind as "RecipientsToFind" = exactly_one RecipientsByUid, RecipientsByReference;
/// }
/// ```
#[macro_export]
macro_rules! either {
    ($(
        $(#[doc = $about:literal])*
        $vis:vis struct $either:ident as $name:literal = $how:ident $($form:ty),+;
    )+) => {$(
        $(#[doc = $about])*
        #[allow(missing_docs, reason = "what a name says needs no text in the document either")]
        $vis struct $either;

        impl $crate::api::http::json_schema::Described for $either {
            const NAME: &'static str = $name;

            fn schema() -> $crate::api::http::json_schema::Schema {
                let forms = [$($crate::api::http::json_schema::declared::<$form>()),+];
                let schema = $crate::api::http::json_schema::$how(forms);
                $crate::body!(@text schema, [$($about),*] [])
            }
        }
    )+};
}
