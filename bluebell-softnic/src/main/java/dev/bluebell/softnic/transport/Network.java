package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.engine.Lookouts;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.transport.receive.XrcSrq;

/**
 * The parts of a device that its queue pairs share.
 *
 * @param fabric carries their packets
 * @param endpoint receives packets for them
 * @param lateReceives watches those that failed
 * @param xrcSrqs the shared receive queues that XRC messages name
 */
public record Network(
    Fabric fabric, Endpoint endpoint, Lookouts lateReceives, ObjectTable<XrcSrq> xrcSrqs) {}
