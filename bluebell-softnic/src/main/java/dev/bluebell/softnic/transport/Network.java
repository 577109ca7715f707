package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.transport.receive.XrcSrq;

/**
 * What lies around the queue pairs of one device.
 *
 * @param fabric where their packets go
 * @param endpoint where packets for them come in
 * @param lateReceives who watches those that failed
 * @param xrcSrqs what the messages of XRC name
 */
public record Network(
    Fabric fabric, Endpoint endpoint, LateReceives lateReceives, ObjectTable<XrcSrq> xrcSrqs) {}
