package dev.bluebell.uverbs.pd;

import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.server.Account;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.xrc.XrcDomain;
import dev.bluebell.uverbs.xrc.XrcDomains;
import java.util.List;

/** An XRC domain that a program has open. For one thread. */
public final class Xrcd implements Handles.Held {
  private final XrcDomains all;
  private final XrcDomain domain;
  private final List<Account.Hold> holds;
  private int users;

  Xrcd(XrcDomains all, XrcDomain domain, List<Account.Hold> holds) {
    this.holds = holds;
    this.all = all;
    this.domain = domain;
  }

  public XrcDomain domain() {
    return domain;
  }

  /** Counts the objects that the program made by this handle. */
  public void use(int delta) {
    users += delta;
  }

  int users() {
    return users;
  }

  @Override
  public int rank() {
    return ObjectKind.XRC_DOMAIN.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    all.close(domain);
    holds.forEach(Account.Hold::close);
  }
}
