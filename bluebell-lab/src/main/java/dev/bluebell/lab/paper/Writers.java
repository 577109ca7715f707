package dev.bluebell.lab.paper;

import java.util.ArrayList;
import java.util.List;

/**
 * Clients whose requests are handled by a server's processor; each sends its next request when it
 * has an answer.
 */
final class Writers {
  private final List<Client> clients = new ArrayList<>();
  private final List<Queue> queues = new ArrayList<>();

  Writers(Testbed bed, Server server, int count) {
    for (int i = 0; i < count; i++) {
      Client client = new Client(bed, Verbs.BYTES);
      Queue queue = client.queue();
      server.serve(queue, client.result());
      clients.add(client);
      queues.add(queue);
    }
  }

  void start() {
    for (int i = 0; i < clients.size(); i++) {
      write(i);
    }
  }

  /** Lets clients with an answer send their next request. */
  void look() {
    for (int i = 0; i < clients.size(); i++) {
      if (queues.get(i).nextReceive() >= 0) {
        write(i);
      }
    }
  }

  private void write(int i) {
    clients.get(i).message(queues.get(i));
    clients.get(i).start(queues.get(i));
  }
}
