// SPDX-License-Identifier: Apache-2.0
#include "measure/openssl_sha256.h"

#include <stdexcept>

#include "measure/libcrypto.h"

namespace shredder::tools {

struct OpensslSha256::Library {
    Libcrypto crypto;
    void* context = nullptr;
    const void* sha256 = nullptr;
    void (*freeContext)(void*) = nullptr;
    int (*init)(void*, const void*, void*) = nullptr;
    int (*update)(void*, const void*, std::size_t) = nullptr;
    int (*final)(void*, unsigned char*, unsigned*) = nullptr;

    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (context != nullptr) freeContext(context);
    }
};

OpensslSha256::OpensslSha256() : library_(std::make_unique<Library>()) {
    const Libcrypto& crypto = library_->crypto;
    version_ = crypto.find<const char* (*)(int)>("OpenSSL_version")(0);
    library_->sha256 = crypto.find<const void* (*)()>("EVP_sha256")();
    library_->freeContext = crypto.find<void (*)(void*)>("EVP_MD_CTX_free");
    library_->init = crypto.find<int (*)(void*, const void*, void*)>("EVP_DigestInit_ex");
    library_->update = crypto.find<int (*)(void*, const void*, std::size_t)>("EVP_DigestUpdate");
    library_->final = crypto.find<int (*)(void*, unsigned char*, unsigned*)>("EVP_DigestFinal_ex");
    library_->context = crypto.find<void* (*)()>("EVP_MD_CTX_new")();
}

OpensslSha256::~OpensslSha256() = default;

void OpensslSha256::digestMany(const DigestMessage* messages, std::size_t count) {
    for (std::size_t i = 0; i < count; i++) {
        const DigestMessage& message = messages[i];
        if (library_->init(library_->context, library_->sha256, nullptr) != 1 ||
            library_->update(library_->context, message.data, message.size) != 1 ||
            library_->final(library_->context, message.digest, nullptr) != 1) {
            throw std::runtime_error("OpenSSL failed to digest " + std::to_string(message.size) + " bytes");
        }
    }
}

}  // namespace shredder::tools
