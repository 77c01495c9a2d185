import type {
  AddressChangesTable,
  AppPasswordsTable,
  BillingCancellationsTable,
  BillingCustomersTable,
  BillingEventsTable,
  CodeCountsTable,
  ContentAccessTable,
  IdempotentAnswersTable,
  InvitationsTable,
  LoginCodesTable,
  PublicKeysTable,
  RecoveryCodesTable,
  SecondFactorTicketsTable,
  SessionsTable,
  SignUpTicketsTable,
  SuggestionMarksTable,
  TwoFactorsTable,
  UsersTable,
} from "./accountTables.ts";
import type { ClaimedSubdomainsTable, DomainsTable } from "./domainTables.ts";
import type {
  HeldMailsTable,
  MaskDestinationsTable,
  MaskSendersTable,
  NotificationsTable,
  SentReportsTable,
} from "./heldTables.ts";
import type { LogEntriesTable, LogStepsTable } from "./logTables.ts";
import type {
  AccountCountsTable,
  ArchivedMailsTable,
  AutomaticAnswersTable,
  BodiesTable,
  DestinationsTable,
  DigestMailsTable,
  EventsTable,
  LabelsTable,
  LastMailsTable,
  LeaseClockTable,
  LeaseHoldersTable,
  MaskAddressesTable,
  MaskCountsTable,
  MaskStatisticsTable,
  MasksTable,
  MonthlyUsageTable,
  NewMailsTable,
  QueueTable,
  RecentMailsTable,
  SenderDaysTable,
  SentMessageIdsTable,
} from "./mailTables.ts";
import type {
  DailyRepliesTable,
  DkimKeysTable,
  ReverseAddressesTable,
  TlsPoliciesTable,
} from "./proofTables.ts";
import type {
  AccountRuleCountsTable,
  AccountRulesTable,
  AccountRuleVersionsTable,
  RuleVersionsTable,
} from "./ruleTables.ts";

/** All tables of the database. */
export interface Tables {
  users: UsersTable;
  code_counts: CodeCountsTable;
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
  labels: LabelsTable;
  mask_addresses: MaskAddressesTable;
  mask_destinations: MaskDestinationsTable;
  public_keys: PublicKeysTable;
  rule_versions: RuleVersionsTable;
  account_rules: AccountRulesTable;
  account_rule_versions: AccountRuleVersionsTable;
  account_rule_counts: AccountRuleCountsTable;
  mask_statistics: MaskStatisticsTable;
  automatic_answers: AutomaticAnswersTable;
  archived_mails: ArchivedMailsTable;
  last_mails: LastMailsTable;
  digest_mails: DigestMailsTable;
  monthly_usage: MonthlyUsageTable;
  sender_days: SenderDaysTable;
  new_mails: NewMailsTable;
  account_counts: AccountCountsTable;
  mask_counts: MaskCountsTable;
  recent_mails: RecentMailsTable;
  content_access: ContentAccessTable;
  suggestion_marks: SuggestionMarksTable;
  log_entries: LogEntriesTable;
  log_steps: LogStepsTable;
  queue: QueueTable;
  sent_message_ids: SentMessageIdsTable;
  bodies: BodiesTable;
  lease_holders: LeaseHoldersTable;
  lease_clock: LeaseClockTable;
  held_mails: HeldMailsTable;
  mask_senders: MaskSendersTable;
  sent_reports: SentReportsTable;
  notifications: NotificationsTable;
  events: EventsTable;
  dkim_keys: DkimKeysTable;
  domains: DomainsTable;
  claimed_subdomains: ClaimedSubdomainsTable;
  app_passwords: AppPasswordsTable;
  reverse_addresses: ReverseAddressesTable;
  daily_replies: DailyRepliesTable;
  tls_policies: TlsPoliciesTable;
  billing_customers: BillingCustomersTable;
  billing_events: BillingEventsTable;
  billing_farewells: BillingCancellationsTable;
}
