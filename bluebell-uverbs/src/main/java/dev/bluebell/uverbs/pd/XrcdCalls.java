package dev.bluebell.uverbs.pd;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.abi.AbiView;
import dev.bluebell.uverbs.abi.ioctl.DestroyXrcdAttrs;
import dev.bluebell.uverbs.abi.structure.CloseXrcd;
import dev.bluebell.uverbs.abi.structure.OpenXrcd;
import dev.bluebell.uverbs.abi.structure.OpenXrcdResp;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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
    @Nullable Object file = fd == NO_FILE ? null : file(session, fd);
    Xrcd xrcd = open(session, file, call.in().getInt(OpenXrcd.OFLAGS));
    int handle = session.handles().add(xrcd);
    call.reply(AbiView.of(OpenXrcdResp.STRUCTURE).set(OpenXrcdResp.XRCD_HANDLE, handle));
  }

  // Each program that has a domain open pays for all of its parts.
  private static Xrcd open(Session session, @Nullable Object file, int flags) {
    List<Account.Hold> holds = new ArrayList<>();
    try {
      holds.add(session.account().take(Quota.DOMAINS, 2));
      holds.add(session.account().take(Quota.COMPLETION_QUEUES));
      holds.add(session.account().take(Quota.UARS));
      holds.add(session.account().take(Quota.UMEMS));
      return new Xrcd(session.xrcDomains(), session.xrcDomains().open(file, flags), holds);
    } catch (RuntimeException e) {
      holds.forEach(Account.Hold::close);
      throw e;
    }
  }

  /** What tells the file of a descriptor of the program from others: its device and inode. */
  private static @Nullable Object file(Session session, int fd) {
    Path link = Path.of("/proc", Integer.toString(session.pid()), "fd", Integer.toString(fd));
    try {
      return Files.readAttributes(link, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      throw new Refusal(Errno.EBADF, "the program has no file open as descriptor %d".formatted(fd));
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
        "XRC domain 0x%x still has %d QPs or SRQs of this program",
        xrcd.domain().number(),
        xrcd.users());
    session.handles().destroy(Xrcd.class, handle);
  }
}
