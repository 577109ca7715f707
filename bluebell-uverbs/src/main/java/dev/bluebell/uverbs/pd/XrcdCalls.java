package dev.bluebell.uverbs.pd;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.PdAbi.CloseXrcd;
import dev.bluebell.hca.uverbs.PdAbi.DestroyXrcdAttrs;
import dev.bluebell.hca.uverbs.PdAbi.OpenXrcd;
import dev.bluebell.hca.uverbs.PdAbi.OpenXrcdResp;
import dev.bluebell.server.Account;
import dev.bluebell.server.HeldFile;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.xrc.XrcDomain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls about XRC domains. */
public final class XrcdCalls {
  private static final int NO_FILE = -1;

  private XrcdCalls() {}

  public static void open(Session session, WriteCall call) throws IOException {
    Refusal.require(
        Capabilities.general(session.hca()).isSet(CmdHcaCap.XRC),
        Errno.EOPNOTSUPP,
        "the device has no XRC");
    int fd = call.in().getInt(OpenXrcd.FD);
    Xrcd xrcd = open(session, fd, call.in().getInt(OpenXrcd.OFLAGS));
    int handle = session.handles().add(xrcd);
    call.reply(View.of(OpenXrcdResp.STRUCTURE).set(OpenXrcdResp.XRCD_HANDLE, handle));
  }

  // Each client that has a domain open is charged for all of its parts.
  private static Xrcd open(Session session, int fd, int flags) {
    List<Account.Hold> holds = new ArrayList<>();
    @Nullable HeldFile file = null;
    try {
      holds.add(session.account().take(Quota.DOMAINS, 2));
      holds.add(session.account().take(Quota.COMPLETION_QUEUES));
      holds.add(session.account().take(Quota.UARS));
      holds.add(session.account().take(Quota.UMEMS));
      if (fd != NO_FILE) {
        holds.add(session.account().take(Quota.DESCRIPTORS));
        file = file(session, fd);
      }
      XrcDomain domain = session.xrcDomains().open(file == null ? null : file.key(), flags);
      return new Xrcd(session.xrcDomains(), domain, file, holds);
    } catch (RuntimeException e) {
      if (file != null) {
        file.close();
      }
      holds.forEach(Account.Hold::close);
      throw e;
    }
  }

  private static HeldFile file(Session session, int fd) {
    try {
      return session.process().hold(fd);
    } catch (IOException e) {
      throw new Refusal(Errno.EBADF, "the client has no file open as descriptor %d".formatted(fd));
    }
  }

  public static void close(Session session, WriteCall call) throws IOException {
    close(session, call.in().getInt(CloseXrcd.XRCD_HANDLE));
  }

  public static void close(Session session, IoctlCall call) throws IOException {
    close(session, call.handle(DestroyXrcdAttrs.HANDLE));
  }

  private static void close(Session session, int handle) throws IOException {
    Xrcd xrcd = session.handles().find(Xrcd.class, handle);
    Refusal.require(
        xrcd.users() == 0,
        Errno.EBUSY,
        "XRC domain 0x%x still has QPs or SRQs of this client (%d)",
        xrcd.domain().number(),
        xrcd.users());
    session.handles().destroy(Xrcd.class, handle);
  }
}
