package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.uverbs.call.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The multicast groups that an id has joined. Guarded by the {@link ConnectionManager}. */
final class CmGroups {
  /** Queue pair number in datagrams to a group. */
  private static final int GROUP_QPN = 0xffffff;

  private final CmId id;
  private final List<CmGroup> groups = new ArrayList<>();

  CmGroups(CmId id) {
    this.id = id;
  }

  /**
   * Joins a group, which an event reports.
   *
   * @param as the client's identifier of the group
   * @param address of the group
   */
  CmGroup join(long as, CmAddress address) {
    CmFile file = id.file();
    Refusal.require(
        !address.gid().equals(Gid.ZERO) && !address.isAny(),
        Errno.EINVAL,
        "a group needs an address");
    Account.Hold room = file.takeId();
    CmGroup group = file.manager().number(fresh -> new CmGroup(id, fresh, room));
    groups.add(group);
    CmPath path = file.port().pathToGroup(id.addressing().source(), address.gid());
    Consumer<View> content =
        event -> CmEvent.writeDatagram(event.at(EventResp.UD), path, GROUP_QPN, id.queueKey());
    if (!id.events().joined(group, as, content)) {
      int unused = leave(group);
      throw new Refusal(
          Errno.ENOMEM, "the client has too many unread events: read them, and join again");
    }
    return group;
  }

  /** Leaves a group; returns the number of its events that were read. */
  int leave(CmGroup group) {
    if (groups.remove(group)) {
      if (group.eventsReported == 0) {
        id.file().dropEvents(id, event -> event.group() == group);
      }
      forget(group);
    }
    return group.eventsReported;
  }

  /** Leaves all groups, whose events are dropped already. */
  void leaveAll() {
    groups.forEach(this::forget);
    groups.clear();
  }

  private void forget(CmGroup group) {
    id.file().manager().forget(group.number());
    group.hold().close();
  }
}
