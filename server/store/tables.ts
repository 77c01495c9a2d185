import type {
  AddressChangesTable,
  AppPasswordsTable,
  BillingCancellationsTable,
  BillingCustomersTable,
  BillingEventsTable,
  IdempotentAnswersTable,
  InvitationsTable,
  LoginCodesTable,
  PublicKeysTable,
  RecoveryCodesTable,
  SecondFactorTicketsTable,
  SessionsTable,
  SignUpTicketsTable,
  TwoFactorsTable,
  UsersTable,
} from "./accountTables.ts";
import type { HeldMailsTable, MaskSendersTable, SentReportsTable } from "./heldTables.ts";
import type {
  AccountCountsTable,
  ArchivedMailsTable,
  AutomaticAnswersTable,
  BodiesTable,
  ContentAccessTable,
  DestinationsTable,
  DigestMailsTable,
  EventsTable,
  LeaseHoldersTable,
  MaskAddressesTable,
  MaskCountsTable,
  MaskStatisticsTable,
  MasksTable,
  MonthlyUsageTable,
  NewMailsTable,
  NotificationsTable,
  QueueTable,
  RecentMailsTable,
  RuleVersionsTable,
  SenderDaysTable,
  SuggestionMarksTable,
} from "./mailTables.ts";
import type { DailyRepliesTable, DkimKeysTable, ReverseAddressesTable } from "./proofTables.ts";

/** All tables of the database. */
export interface Tables {
  users: UsersTable;
  login_codes: LoginCodesTable;
  address_changes: AddressChangesTable;
  sign_up_tickets: SignUpTicketsTable;
  invitations: InvitationsTable;
  two_factors: TwoFactorsTable;
  recovery_codes: RecoveryCodesTable;
  second_factor_tickets: SecondFactorTicketsTable;
  sessions: SessionsTable;
  idempotent_answers: IdempotentAnswersTable;
  destinations: DestinationsTable;
  masks: MasksTable;
  mask_addresses: MaskAddressesTable;
  public_keys: PublicKeysTable;
  rule_versions: RuleVersionsTable;
  mask_statistics: MaskStatisticsTable;
  automatic_answers: AutomaticAnswersTable;
  archived_mails: ArchivedMailsTable;
  digest_mails: DigestMailsTable;
  monthly_usage: MonthlyUsageTable;
  sender_days: SenderDaysTable;
  new_mails: NewMailsTable;
  account_counts: AccountCountsTable;
  mask_counts: MaskCountsTable;
  recent_mails: RecentMailsTable;
  content_access: ContentAccessTable;
  suggestion_marks: SuggestionMarksTable;
  queue: QueueTable;
  bodies: BodiesTable;
  lease_holders: LeaseHoldersTable;
  held_mails: HeldMailsTable;
  mask_senders: MaskSendersTable;
  sent_reports: SentReportsTable;
  notifications: NotificationsTable;
  events: EventsTable;
  dkim_keys: DkimKeysTable;
  app_passwords: AppPasswordsTable;
  reverse_addresses: ReverseAddressesTable;
  daily_replies: DailyRepliesTable;
  billing_customers: BillingCustomersTable;
  billing_events: BillingEventsTable;
  billing_farewells: BillingCancellationsTable;
}
