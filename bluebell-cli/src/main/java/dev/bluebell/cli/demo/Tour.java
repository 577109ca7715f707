package dev.bluebell.cli.demo;

import java.util.List;

/** The steps of the tour, in order. */
final class Tour {
  private static final String MESSAGES = "Messages";
  private static final String RDMA = "Remote memory";
  private static final String ATOMICS = "Atomics";
  private static final String QUEUES = "Queues";
  private static final String EVENTS = "Events";
  private static final String TRANSPORTS = "Transports";
  private static final String PROGRAMS = "Programs on the NIC, while the host's thread sleeps";
  private static final String DEVICE = "Device";

  private Tour() {}

  static List<Step> steps() {
    return List.of(
        new Step(MESSAGES, "SEND into a posted receive", SendSteps::send),
        new Step(MESSAGES, "SEND with immediate", SendSteps::sendImmediate),
        new Step(MESSAGES, "SEND with invalidate", SendSteps::sendInvalidate),
        new Step(MESSAGES, "SEND before there is a receive (RNR)", SendSteps::receiverNotReady),
        new Step(RDMA, "RDMA WRITE", RdmaSteps::write),
        new Step(RDMA, "RDMA WRITE with immediate", RdmaSteps::writeImmediate),
        new Step(RDMA, "RDMA READ", RdmaSteps::read),
        new Step(RDMA, "memory window: lent to a peer, and taken back", WindowSteps::window),
        new Step(RDMA, "interleaved blocks and a list as one region", WindowSteps::layouts),
        new Step(ATOMICS, "compare-and-swap: one swaps, one does not", AtomicSteps::compareAndSwap),
        new Step(ATOMICS, "masked compare-and-swap of 4 bytes", AtomicSteps::maskedSwap),
        new Step(ATOMICS, "fetch-and-add from two sides", AtomicSteps::fetchAndAdd),
        new Step(ATOMICS, "masked atomics: OR, and additions to fields", AtomicSteps::masked),
        new Step(
            QUEUES, "data inside completions: a SEND and a READ", QueueSteps::dataInCompletions),
        new Step(QUEUES, "completions compressed", CompressionSteps::compressed),
        new Step(QUEUES, "NOP", QueueSteps::nop),
        new Step(QUEUES, "unsignalled requests, one completion", QueueSteps::unsignaled),
        new Step(QUEUES, "fence: a WRITE waits for a READ", QueueSteps::fence),
        new Step(QUEUES, "error state, flush, reset and reconnect", QueueSteps::recovery),
        new Step(EVENTS, "completion event after 20 ms of sleep", EventSteps::completion),
        new Step(EVENTS, "solicited event only", EventSteps::solicited),
        new Step(TRANSPORTS, "UC: an unreliable SEND and WRITE", TransportSteps::unreliable),
        new Step(
            TRANSPORTS, "UD: datagrams to two peers, and their senders", TransportSteps::datagrams),
        new Step(TRANSPORTS, "SRQ: three queue pairs share receives", TransportSteps::shared),
        new Step(
            TRANSPORTS, "striding receives: many messages, one entry", TransportSteps::striding),
        new Step(TRANSPORTS, "DC: one initiator, three targets", DynamicSteps::targets),
        new Step(TRANSPORTS, "DC streams: one fails, the other goes on", DynamicSteps::streams),
        new Step(TRANSPORTS, "XRC: one connection, three receive queues", XrcSteps::queues),
        new Step(TRANSPORTS, "tag matching: messages go where their tags say", TagSteps::match),
        new Step(
            TRANSPORTS, "rendezvous: the device fetches what a tag awaits", TagSteps::rendezvous),
        new Step(PROGRAMS, "condition: another answer if x = 42", ProgramSteps::condition),
        new Step(PROGRAMS, "bounded loop: all 8 elements compared", ProgramSteps::boundedLoop),
        new Step(
            PROGRAMS, "unbounded loop: a break ends it in lap 64", ProgramSteps::unboundedLoop),
        new Step(PROGRAMS, "RedN's break: no completion, no further lap", BreakStep::run),
        new Step(DEVICE, "endpoints exchanged out of band", DeviceSteps::exchange),
        new Step(DEVICE, "memory of the device (MEMIC)", MemorySteps::ofDevice),
        new Step(DEVICE, "a copy from memory to memory (MMO)", MemorySteps::copy),
        new Step(DEVICE, "relaxed order, which a fence keeps", MemorySteps::relaxed),
        new Step(DEVICE, "a direct ByteBuffer registered", DeviceSteps::registration),
        new Step(DEVICE, "1000 queue pairs, a message on each", DeviceSteps::many),
        new Step(DEVICE, "flight recorder", DeviceSteps::record));
  }
}
