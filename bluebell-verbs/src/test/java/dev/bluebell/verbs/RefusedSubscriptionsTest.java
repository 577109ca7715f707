package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.object.DeviceContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stays when a device, which allows only so many subscriptions, refuses one. */
class RefusedSubscriptionsTest {
  private final FakeHca hca = new FakeHca();

  @Test
  void aQueueThatCannotSubscribeItsEventsLeavesNoChannelOpen() throws InterruptedException {
    Device device = Device.over(hca);
    CompletionQueue completions = device.createCompletionQueue(8);
    int channels = hca.channels.size();
    hca.refusedChannels = channel -> true;
    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(HcaException.class).isThrownBy(() -> completions.arm(false));
    }
    assertThat(hca.channels.subList(channels, hca.channels.size()))
        .isNotEmpty()
        .allMatch(channel -> channel.closed);
    hca.refusedChannels = channel -> false;
    assertThat(completions.awaitCompletions(Duration.ZERO)).isFalse();
  }

  @Test
  void aQueueThatCannotSubscribeItsErrorsIsForgotten() {
    DeviceContext device = new DeviceContext(hca);
    FakeHca.FakeChannel errors = hca.channels.getLast();
    List<Integer> syndromes = new ArrayList<>();
    HcaObject object = hca.create(new byte[16]);
    hca.refusedChannels = channel -> channel != errors;
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> device.watchErrors(object, syndromes::add));
    errors.raise(HcaEvent.CQ_ERROR, object.number(), HcaEvent.CQ_OVERRUN);
    device.dispatchErrors();
    assertThat(syndromes).isEmpty();
  }
}
