package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.DevxClient.DEVX;
import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.DevxClient.Made;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events of DevX, and answers to asynchronous queries. */
class DevxEventsTest extends Hosted {
  private static final long NO_HANDLE = 987654;

  private DevxClient client;

  @BeforeEach
  void open() throws IOException {
    client = DevxClient.open(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  @Test
  void aCompletionVectorHasAnEventQueue() throws IOException {
    assertThat(client.eventQueue(0)).isPositive();
    assertThat(client.eventQueue(-1)).isEqualTo(-Errno.EINVAL);
    assertThat(client.eventQueue(1 << 20)).isEqualTo(-Errno.EINVAL);
  }

  private long[] openChannel(long flags) throws IOException {
    long[] attributes = {attribute(0x1000, 0), 0, attribute(0x1001, 4), flags};
    return new long[] {client.raw().ioctl(DevxClient.EVENT_FD, 0x1000, attributes), attributes[1]};
  }

  private long subscribe(long fd, long object, int type) throws IOException {
    return client
        .raw()
        .ioctl(
            DEVX,
            0x1003,
            attribute(0x1000, 0),
            fd,
            attribute(0x1001, 0),
            object,
            attribute(0x1002, 2),
            type,
            attribute(0x1004, 8),
            77);
  }

  @Test
  void anEventChannelTakesEventsOfObjectsOfItsContext() throws IOException {
    long[] channel = openChannel(0);
    assertThat(channel[0]).isZero();
    Made queue = client.createCq(client.umem());
    assertThat(subscribe(channel[1], queue.handle(), 0)).isZero();
    assertThat(subscribe(channel[1], NO_HANDLE, 0)).isEqualTo(-Errno.ENOENT);
    assertThat(subscribe(NO_HANDLE, queue.handle(), 0)).isEqualTo(-Errno.EBADF);
  }

  // ---- duplicates of a channel

  @Test
  void aDuplicateOfAChannelNamesTheChannel() throws IOException {
    int channel = (int) openChannel(0)[1];
    Made queue = client.createCq(client.umem());
    int copy = client.raw().duplicate(channel);
    client.raw().close(channel);
    assertThat(subscribe(copy, queue.handle(), 0)).isZero();
    assertThat(subscribe(channel, queue.handle(), 0)).isEqualTo(-Errno.EBADF);
  }

  @Test
  void aChannelWithADuplicateOutlivesTheReuseOfItsFirstNumber() throws IOException {
    int first = (int) openChannel(0)[1];
    Made queue = client.createCq(client.umem());
    assertThat(subscribe(first, queue.handle(), 0)).isZero();
    int copy = client.raw().duplicate(first);
    long ofFirst = host.quotas().held(Quota.SUBSCRIPTIONS);
    client.raw().installNextAt(first);
    assertThat(openChannel(0)).containsExactly(0, first);
    assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(ofFirst);
    assertThat(subscribe(copy, queue.handle(), 0)).as("repeated").isZero();
    assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(ofFirst);
    assertThat(subscribe(first, queue.handle(), 0)).as("the new channel").isZero();
    assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(ofFirst + 1);
  }

  @Test
  void aCallListsAtMost255TypesOfEvents() throws IOException {
    long fd = openChannel(0)[1];
    Made queue = client.createCq(client.umem());
    long list = client.raw().memory(2 * 256).address();
    for (int types : new int[] {255, 256}) {
      long result =
          client
              .raw()
              .ioctl(
                  DEVX,
                  0x1003,
                  attribute(0x1000, 0),
                  fd,
                  attribute(0x1001, 0),
                  queue.handle(),
                  attribute(0x1002, 2 * types),
                  list);
      assertThat(result).isEqualTo(types == 255 ? 0 : -Errno.EINVAL);
    }
  }

  @Test
  void repeatedSubscriptionsCountOnce() throws IOException {
    long fd = openChannel(0)[1];
    Made queue = client.createCq(client.umem());
    long ofContext = host.quotas().held(Quota.SUBSCRIPTIONS);
    for (int i = 0; i < 10; i++) {
      assertThat(subscribe(fd, queue.handle(), 0)).isZero();
    }
    assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(ofContext + 1);
    assertThat(subscribe(fd, queue.handle(), 4)).isZero();
    assertThat(subscribe(openChannel(0)[1], queue.handle(), 4)).isZero();
    assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(ofContext + 3);
  }

  @Test
  void theSubscriptionsOfAnObjectEndWithIt() throws IOException {
    long fd = openChannel(0)[1];
    Made umem = client.umem();
    Made kept = client.createCq(umem);
    assertThat(subscribe(fd, kept.handle(), HcaEvent.COMPLETION)).isZero();
    long ofOthers = host.quotas().held(Quota.SUBSCRIPTIONS);
    Made queue = client.createCq(umem);
    assertThat(subscribe(fd, queue.handle(), HcaEvent.COMPLETION)).isZero();
    assertThat(subscribe(fd, queue.handle(), HcaEvent.CQ_ERROR)).isZero();
    assertThat(subscribe(openChannel(0)[1], queue.handle(), HcaEvent.CQ_ERROR)).isZero();
    assertThat(client.destroy(queue.handle())).isZero();
    assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(ofOthers);
  }

  @Test
  void anEventThatAnObjectCanNotRaiseIsNotSubscribedAtTheDevice() throws IOException {
    long fd = openChannel(0)[1];
    Made domain = client.domain();
    Made queue = client.createCq(client.umem());
    long ofContext = host.quotas().held(Quota.SUBSCRIPTIONS);
    assertThat(subscribe(fd, domain.handle(), HcaEvent.COMPLETION)).isZero();
    assertThat(subscribe(fd, domain.handle(), HcaEvent.SRQ_LIMIT)).isZero();
    assertThat(subscribe(fd, queue.handle(), HcaEvent.WQ_ACCESS_ERROR)).isZero();
    assertThat(subscribe(fd, queue.handle(), 0x77)).isZero();
    assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(ofContext);
  }

  @Test
  void anObjectThatNoCommandOfTheClientCreatedTakesNoSubscription() throws IOException {
    int domain = client.raw().allocateDomain();
    assertThat(subscribe(openChannel(0)[1], domain, HcaEvent.COMPLETION)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void theOnlyFlagOfAnEventChannelOmitsData() throws IOException {
    assertThat(openChannel(1)[0]).isZero();
    assertThat(openChannel(2)[0]).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aCompletionChannelTakesNoEventsOfCommands() throws IOException {
    MemorySegment out = client.raw().memory(4);
    assertThat(client.raw().write(17, Fields.of(8).bytes(), out)).isPositive();
    Made queue = client.createCq(client.umem());
    assertThat(subscribe(out.get(ValueLayout.JAVA_INT, 0), queue.handle(), 0))
        .isEqualTo(-Errno.EBADF);
  }

  // ---- asynchronous queries

  private long openAnswers() throws IOException {
    long[] attributes = {attribute(0x1000, 0), 0};
    assertThat(client.raw().ioctl(DevxClient.ASYNC_CMD_FD, 0x1000, attributes)).isZero();
    return attributes[1];
  }

  private long queryLater(long fd, Made queue, byte[] command, int room) throws IOException {
    return client
        .raw()
        .ioctl(
            DevxClient.OBJ,
            0x1004,
            attribute(0x1000, 0),
            queue.handle(),
            attribute(0x1001, command.length),
            client.bytes(command).address(),
            attribute(0x1002, 0),
            fd,
            attribute(0x1003, 8),
            0x1122334455L,
            attribute(0x1004, 2),
            room);
  }

  @Test
  void theAnswersOfQueriesAreReadOneByOne() throws IOException {
    long fd = openAnswers();
    Made queue = client.createCq(client.umem());
    int room = QueryCqOut.STRUCTURE.bytes();
    assertThat(queryLater(fd, queue, DevxClient.queryCq(queue.number()), room)).isZero();
    assertThat(queryLater(fd, queue, DevxClient.queryCq(queue.number() + 1), 16)).isZero();

    byte[] first = Descriptors.read((int) fd, 4096);
    assertThat(first).hasSize(8 + room);
    assertThat(Fields.over(first).u64(0)).isEqualTo(0x1122334455L);
    View output = View.over(Arrays.copyOfRange(first, 8, first.length));
    assertThat(output.getInt(CmdOut.STATUS)).isZero();
    assertThat(output.at(QueryCqOut.CQ_CONTEXT).getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(2);

    byte[] second = Descriptors.read((int) fd, 4096);
    assertThat(second).hasSize(8 + 16);
    assertThat(View.over(Arrays.copyOfRange(second, 8, 24)).getInt(CmdOut.STATUS)).isPositive();
  }

  @Test
  void queriesWaitUntilTheirAnswersAreRead() throws IOException {
    long fd = openAnswers();
    Made queue = client.createCq(client.umem());
    int kept = 0;
    long result = 0;
    while (result == 0) {
      result = queryLater(fd, queue, DevxClient.queryCq(queue.number()), 0xffff);
      kept += result == 0 ? 1 : 0;
      assertThat(kept).isLessThan(1000);
    }
    assertThat(result).isEqualTo(-Errno.EAGAIN);
    for (int i = 0; i < kept; i++) {
      assertThat(Descriptors.read((int) fd, 1 << 17)).hasSize(8 + 0xffff);
      assertThat(queryLater(fd, queue, DevxClient.queryCq(queue.number()), 8)).isZero();
    }
  }

  @Test
  void eachAcceptedQueryIsAnsweredWithoutAFurtherOne() throws IOException {
    long fd = openAnswers();
    Made queue = client.createCq(client.umem());
    int accepted = 0;
    while (queryLater(fd, queue, DevxClient.queryCq(queue.number()), 0xffff) == 0) {
      accepted++;
      assertThat(accepted).isLessThan(1000);
    }
    for (int i = 0; i < accepted; i++) {
      assertThat(Descriptors.readNow((int) fd, 1 << 17))
          .as("answer %d of %d", i + 1, accepted)
          .hasSize(8 + 0xffff);
    }
    assertThat(Descriptors.readNow((int) fd, 1 << 17)).isEmpty();
  }

  @Test
  void aFileOfAnotherKindTakesNoAnswers() throws IOException {
    Made queue = client.createCq(client.umem());
    assertThat(queryLater(openChannel(0)[1], queue, DevxClient.queryCq(queue.number()), 16))
        .isEqualTo(-Errno.EBADF);
  }
}
