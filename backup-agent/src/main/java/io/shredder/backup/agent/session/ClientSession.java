// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.catalogue.SeriesMovedException;
import io.shredder.backup.agent.collect.CollectionGate;
import io.shredder.backup.agent.collect.LiveRoots;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.lists.SharedDraft;
import io.shredder.backup.agent.lists.SharedPages;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.agent.quota.QuotaException;
import io.shredder.backup.agent.quota.SessionQuota;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.ListRequest;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SeriesRequest;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.backup.wire.UploadRequest;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * START HERE. Answers one client's requests, one after another, on the connection's own thread: look up, put, then
 * begin, append and commit a snapshot; list, show, fetch, verify; {@link Upkeep} has the rest. A client sees the
 * snapshots of its own namespace only, and each request needs a right. What a client is told is there stays until it
 * had its chance to point to it: {@link LiveRoots}.
 */
public final class ClientSession implements Closeable {

    private final Repository repository;
    private final SnapshotName namespace;
    private final RequestRights rights;
    private final CollectionGate gate;
    private final LiveRoots roots;
    private final UploadParty party;
    private final SessionQuota quota;
    private final ContainerReader reader;
    private final FetchesAhead fetches;
    private final StoreVerification verification;
    private final SharedLists lists;
    private final SnapshotListing listing;
    private final Upkeep upkeep;
    private @Nullable SnapshotDraft draft;
    private Answer.@Nullable Prepared prepared;
    private @Nullable SnapshotFile shown;

    /** Length of the chunks that the draft points to, by the agent's own index. */
    private long pointedBytes;

    public ClientSession(Repository repository, ClientAccess access, ShownCertificate certificate) {
        this.repository = repository;
        this.namespace = access.namespace();
        this.rights = new RequestRights(access, repository.audit());
        this.gate = repository.gate();
        this.roots = gate.newSession();
        this.party = new UploadParty(repository.invitations(), access.client(), roots);
        this.quota = repository.ledger().session(namespace, access.maxImageBytes());
        this.upkeep = new Upkeep(repository, access, certificate);
        this.reader = repository.chunks().newReader();
        this.fetches = new FetchesAhead(repository, rights, reader);
        this.lists = new SharedLists(repository);
        this.listing = new SnapshotListing(repository.catalogue());
        this.verification = new StoreVerification(repository, access);
    }

    /** Answers; errors of the client's making are answers as well, those of the disk are thrown. */
    Answer answer(Request request) throws IOException {
        try {
            rights.check(request);
            if (request instanceof UpkeepRequest kept) {
                closeShown(); // Else what this session has read last would outlive its own deletion.
                return upkeep.answer(kept);
            }
            return dispatch(request);
        } catch (RefusedException e) {
            if (request instanceof UpkeepRequest.Confirm && e.code() == ErrorCode.NOT_PERMITTED) {
                rights.note(request);
            }
            return new Answer.Failure(e.code(), String.valueOf(e.getMessage()));
        } catch (QuotaException e) {
            return new Answer.Failure(ErrorCode.QUOTA, String.valueOf(e.getMessage()));
        }
    }

    private Answer dispatch(Request request) throws IOException, RefusedException, QuotaException {
        if (request instanceof Request.Lookup lookup) {
            return lookup(lookup.fingerprints());
        } else if (request instanceof Request.Put put) {
            return put(put);
        } else if (request instanceof Request.Sync) {
            repository.chunks().sync();
            return new Answer.Done();
        } else if (request instanceof Request.Begin begin) {
            return begin(begin);
        } else if (request instanceof UploadRequest upload) {
            return party.answer(upload, draft != null);
        } else if (request instanceof Request.Append append) {
            return append(append);
        } else if (request instanceof SeriesRequest.Prepare prepare) {
            return prepare(prepare);
        } else if (request instanceof Request.Commit commit) {
            return commit(commit);
        } else if (request instanceof Request.ListSnapshots list) {
            return listing.answer(repository.catalogue().list(namespace, list.afterId()));
        } else if (request instanceof SeriesRequest.ListSeries list) {
            return listing.answer(repository.catalogue().list(namespace, list.name(), list.afterId()));
        } else if (request instanceof ListRequest list) {
            return answer(list);
        } else if (request instanceof Request.Show show) {
            return show(show);
        } else if (request instanceof Request.Fetch fetch) {
            return fetch(fetch.fingerprint());
        } else if (request instanceof Request.FetchMany fetch) {
            return fetches.answer(fetch);
        } else if (request instanceof Request.Verify verify) {
            return verification.next(verify, this::snapshot);
        } else if (request instanceof Request.VerifySome verify) {
            return verification.next(verify.scope(), verify.cursor());
        }
        throw new RefusedException(ErrorCode.INVALID, request.type() + " is not expected here");
    }

    private Answer lookup(List<Fingerprint> asked) throws IOException {
        return gate.held(() -> {
            List<Optional<ChunkLocation>> found = repository.chunks().findWhole(asked);
            party.keeper().promise(asked, found);
            return Answer.Found.of(found);
        });
    }

    private Answer put(Request.Put put) throws IOException, RefusedException, QuotaException {
        StoredRegion region;
        try {
            region = put.checked() ? put.region() : put.region().digested();
        } catch (BadChunkException e) {
            throw new RefusedException(ErrorCode.BAD_CHUNK, e.getMessage() + ": send it again");
        }
        repository.chunks().makeRoom(region);
        return gate.held(() -> {
            repository.chunks().put(region, quota::put).forEach(party.keeper()::promise);
            return new Answer.Done();
        });
    }

    private Answer begin(Request.Begin begin) throws IOException, RefusedException, QuotaException {
        if (draft != null) {
            throw new RefusedException(ErrorCode.INVALID, "a snapshot is open already on this connection");
        }
        quota.begin(begin.imageBytes());
        draft = repository.catalogue().begin(namespace, begin.name(), begin.seal());
        prepared = null;
        roots.draftBegins(draft);
        party.begins();
        pointedBytes = 0;
        return new Answer.Done();
    }

    private Answer append(Request.Append append) throws IOException, RefusedException {
        SnapshotDraft open = openDraft();
        Answer answer = gate.held(() -> append(open, append.page()));
        repository.reserve().fill();
        return answer;
    }

    private Answer append(SnapshotDraft open, ListPage page) throws IOException, RefusedException {
        if (page.number() != open.pages()) {
            throw new RefusedException(
                    ErrorCode.INVALID, "page " + page.number() + " came where " + open.pages() + " was due");
        }
        SharedLists.checkRoom(open, 1);
        List<Fingerprint> references = page.references();
        List<Optional<ChunkLocation>> found = repository.chunks().index().findAll(references);
        long bytes = pointedBytes;
        for (int i = 0; i < found.size(); i++) {
            Fingerprint reference = references.get(i);
            bytes += found.get(i)
                    .orElseThrow(() -> new RefusedException(
                            ErrorCode.NOT_FOUND, "chunk " + reference + " was never put: send it first"))
                    .plainBytes();
        }
        checkQuota(bytes / ListPage.MOST_POINTED, open.listBytes(page));
        open.append(page, bytes - pointedBytes);
        pointedBytes = bytes;
        roots.pointedTo(references, found);
        return new Answer.Done();
    }

    private Answer answer(ListRequest request) throws IOException, RefusedException {
        if (request instanceof ListRequest.ListPages list) {
            return lists.digests(list, sharedList(list.snapshotId()));
        } else if (request instanceof ListRequest.Share share) {
            return share(share);
        }
        ListRequest.MendPage mend = (ListRequest.MendPage) request;
        if (lists.mend(mend.page(), sharedList(mend.snapshotId()))) {
            closeShown(); // It has the damaged file open.
        }
        return new Answer.Done();
    }

    private SharedPages sharedList(long id) throws IOException, RefusedException {
        return snapshot(id)
                .shared()
                .orElseThrow(() ->
                        new RefusedException(ErrorCode.INVALID, "snapshot " + id + " shares no pages with others"));
    }

    private Answer share(ListRequest.Share share) throws IOException, RefusedException {
        if (!(openDraft() instanceof SharedDraft open)) {
            throw new RefusedException(ErrorCode.INVALID, "the open snapshot's list is one that shares no pages");
        }
        SharedPages pages = sharedList(share.snapshotId());
        SharedLists.checkPages(share.first(), share.count(), share.snapshotId(), pages);
        SharedLists.checkRoom(open, share.count());
        return gate.held(() -> {
            if (!repository.catalogue().has(namespace, share.snapshotId())) {
                throw new RefusedException(
                        ErrorCode.NOT_FOUND, "snapshot " + share.snapshotId() + " was deleted: back up again");
            }
            long bytes = pointedBytes;
            for (int page = share.first(); page < share.first() + share.count(); page++) {
                bytes += pages.chunkBytes(page);
            }
            var runs = pages.runs(share.first(), share.count());
            checkQuota(bytes / ListPage.MOST_POINTED, SharedDraft.listBytes(runs));
            open.share(pages, share.first(), share.count());
            gate.shared(runs);
            pointedBytes = bytes;
            return new Answer.Done();
        });
    }

    private Answer prepare(SeriesRequest.Prepare prepare) throws IOException, RefusedException {
        long lastId = repository.catalogue().lastOf(namespace, openDraft().name()); // First: ids after it are higher.
        prepared = new Answer.Prepared(
                repository.catalogue().reserveId(),
                lastId,
                repository.audit().end(),
                repository.audit().at(prepare.auditOffset()));
        return prepared;
    }

    private void checkQuota(long imageBytes, long listBytes) throws IOException, RefusedException {
        try {
            quota.grows(imageBytes, listBytes);
        } catch (QuotaException e) {
            throw new RefusedException(ErrorCode.QUOTA, String.valueOf(e.getMessage()));
        }
    }

    /** The one place where a snapshot comes to be: chunks durable first, then the rename. */
    private Answer commit(Request.Commit commit) throws IOException, RefusedException, QuotaException {
        SnapshotDraft whole = openDraft();
        boolean ends = true;
        try {
            SnapshotDraft.Contents contents = check(commit, whole);
            repository.chunks().sync();
            return new Answer.Committed(quota.commit(commit.imageBytes(), () -> publish(whole, contents)));
        } catch (SeriesMovedException e) {
            ends = false; // Its client asks for another id.
            throw new RefusedException(ErrorCode.SERIES_MOVED, String.valueOf(e.getMessage()));
        } finally {
            if (ends) {
                endDraft(whole);
            }
            repository.reserve().fill();
        }
    }

    private SnapshotDraft.Contents check(Request.Commit commit, SnapshotDraft whole) throws RefusedException {
        Fingerprint digest = whole.finishDigest();
        boolean counted = whole.isShared()
                ? (commit.chunkCount() > 0) == (whole.pages() > 0)
                : ListPage.pages(commit.chunkCount()) == whole.pages();
        if (!counted
                || commit.imageBytes() < pointedBytes / ListPage.MOST_POINTED
                || !commit.contentDigest().equals(digest)) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "the agent received " + whole.pages() + " pages of pointers, digest " + digest
                            + ", not what was to be committed: back up again");
        }
        return new SnapshotDraft.Contents(commit.imageBytes(), commit.chunkCount(), digest, commit.summary());
    }

    /** The disk is waited for without the gate: until the catalogue has the snapshot, its draft keeps its chunks. */
    private SnapshotInfo publish(SnapshotDraft whole, SnapshotDraft.Contents contents) throws IOException {
        SnapshotInfo published = prepared == null
                ? repository.catalogue().publish(whole, contents)
                : repository.catalogue().publish(whole, contents, prepared.id(), prepared.lastId());
        return gate.held(() -> {
            gate.published(published.id());
            return published;
        });
    }

    private void endDraft(SnapshotDraft whole) throws IOException {
        draft = null;
        party.ends();
        roots.draftEnds();
        quota.draftEnds();
        whole.close();
    }

    private SnapshotDraft openDraft() throws RefusedException {
        if (draft == null) {
            throw new RefusedException(ErrorCode.INVALID, "no snapshot is open on this connection");
        }
        return draft;
    }

    /** The snapshot, its whole list checked; kept open for the pages that follow. */
    private SnapshotFile snapshot(long id) throws IOException, RefusedException {
        if (shown != null && shown.info().id() == id) {
            return shown;
        }
        SnapshotFile opened = gate.held(() -> open(id));
        try {
            opened.checkContent();
        } catch (IOException e) {
            roots.reads(null);
            opened.close();
            throw e;
        }
        shown = opened;
        return opened;
    }

    private SnapshotFile open(long id) throws IOException, RefusedException {
        closeShown();
        SnapshotFile opened = repository
                .catalogue()
                .open(namespace, id)
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.NOT_FOUND, "there is no snapshot " + id + " of client " + namespace));
        roots.reads(opened);
        return opened;
    }

    private Answer show(Request.Show show) throws IOException, RefusedException {
        SnapshotFile snapshot = snapshot(show.snapshotId());
        if (show.page() >= snapshot.pages()) {
            throw new RefusedException(
                    ErrorCode.NOT_FOUND,
                    "snapshot " + show.snapshotId() + " has " + snapshot.pages() + " pages, no page " + show.page());
        }
        return new Answer.Page(snapshot.page(show.page()));
    }

    private Answer fetch(Fingerprint fingerprint) throws IOException, RefusedException {
        return new Answer.Region(
                repository.chunks().read(fingerprint, reader).orElseThrow(() -> ManyFetches.notKept(fingerprint)));
    }

    /** Whoever has this session's requests may have some read before their turn. */
    public FetchesAhead fetches() {
        return fetches;
    }

    private void closeShown() throws IOException {
        if (shown != null) {
            roots.reads(null);
            shown.close();
            shown = null;
        }
    }

    /** Drops an open snapshot: its file is deleted, its chunks stay for the next try. */
    @Override
    public void close() throws IOException {
        try (roots;
                quota;
                upkeep;
                reader;
                fetches;
                verification) {
            closeShown();
        } finally {
            party.ends();
            if (draft != null) {
                draft.close();
            }
        }
    }
}
