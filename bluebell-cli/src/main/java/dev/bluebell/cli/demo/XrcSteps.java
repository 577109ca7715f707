package dev.bluebell.cli.demo;

import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import dev.bluebell.verbs.XrcSharedReceiveQueue;
import dev.bluebell.verbs.XrcTarget;
import java.util.ArrayList;
import java.util.List;

/** Extended reliable connections. */
final class XrcSteps {
  private static final int BYTES = 64;
  private static final int QUEUES = 3;
  private static final long STRIDE = 1024;

  private XrcSteps() {}

  /** Each message names the queue that receives it. */
  static String queues(Stage stage) {
    Place left = stage.place();
    XrcDomain domain = stage.device().allocateXrcDomain();
    XrcInitiator from = stage.domain().xrcInitiator(left.completions()).create();
    XrcTarget to = domain.target().create();
    Stage.connect(from, to);
    List<Place> places = new ArrayList<>();
    List<XrcSharedReceiveQueue> queues = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      Place place = stage.place();
      XrcSharedReceiveQueue queue =
          stage.domain().xrcSharedReceiveQueue(domain, place.completions()).create();
      queue.receive().scatter(place.region(), 0, BYTES).post(i);
      queue.ringDoorbell();
      left.fill(STRIDE * i, BYTES, 80 + i);
      places.add(place);
      queues.add(queue);
    }
    stage.start();
    for (int i = 0; i < QUEUES; i++) {
      from.toSharedReceives(queues.get(i).number())
          .send()
          .gather(left.region(), STRIDE * i, BYTES)
          .signaled(i);
    }
    from.ringDoorbell();
    for (int i = 0; i < QUEUES; i++) {
      Check.equal("the id of the receive", (long) i, places.get(i).await().id());
    }
    stage.stop();
    for (int i = 0; i < QUEUES; i++) {
      places.get(i).expect(0, BYTES, 80 + i);
    }
    return "3 x 64 B";
  }
}
