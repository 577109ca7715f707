package dev.bluebell.softnic.queue;

/**
 * What a tag-matching queue (XRQ) has beside its receive WQEs: the list of tags, and where all of
 * its completions go.
 *
 * @param userIndex what completions name the queue by
 * @param rendezvous whether the device does a rendezvous itself
 */
public record TagMatching(
    int number, TagList list, CompletionQueue completions, int userIndex, boolean rendezvous) {}
