package dev.bluebell.uverbs.pd;

import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.server.Account;
import dev.bluebell.server.HeldFile;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.xrc.XrcDomain;
import dev.bluebell.uverbs.xrc.XrcDomains;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An XRC domain that a client has open, with its file. While the file is held, its inode number is
 * not reused. For one thread.
 */
public final class Xrcd implements Handles.Held {
  private final XrcDomains all;
  private final XrcDomain domain;
  private final @Nullable HeldFile file;
  private final List<Account.Hold> holds;
  private int users;

  Xrcd(XrcDomains all, XrcDomain domain, @Nullable HeldFile file, List<Account.Hold> holds) {
    this.file = file;
    this.holds = holds;
    this.all = all;
    this.domain = domain;
  }

  public XrcDomain domain() {
    return domain;
  }

  /** Counts the objects that the client created in the domain by this handle. */
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
    if (file != null) {
      file.close();
    }
    holds.forEach(Account.Hold::close);
  }
}
