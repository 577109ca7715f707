package dev.bluebell.softnic.command;

/** An XRC domain. */
final class XrcDomain extends Domain {
  XrcDomain(int number) {
    super("XRCD", number);
  }
}
